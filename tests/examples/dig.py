#!/usr/bin/env python3
"""Loads a site through libmattock.so, lets the built-in operator dig one bucket, prints payload.

usage: dig.py [LIBRARY [SITE]]     from the folder that holds config/ and vehicles/
"""
import ctypes
import sys


class Setup(ctypes.Structure):
    _fields_ = [("site", ctypes.c_char_p), ("vehicle", ctypes.c_char_p), ("truck", ctypes.c_char_p),
                ("materials", ctypes.c_char_p), ("x", ctypes.c_double), ("z", ctypes.c_double),
                ("heading", ctypes.c_double), ("radius", ctypes.c_double), ("pool", ctypes.c_int),
                ("threads", ctypes.c_int)]


class Machine(ctypes.Structure):
    _fields_ = [("engine_speed", ctypes.c_double), ("engine_load", ctypes.c_double),
                ("pump_pressure", ctypes.c_double * 2), ("fuel", ctypes.c_double),
                ("payload", ctypes.c_double), ("load", ctypes.c_double), ("depth", ctypes.c_double),
                ("resistance", ctypes.c_double), ("support", ctypes.c_double),
                ("grains", ctypes.c_double), ("tilt", ctypes.c_double)]


library, site = (sys.argv[1:] + ["build/libmattock.so", "loam"][len(sys.argv) - 1:])[:2]
lib = ctypes.CDLL(library)
lib.mattock_create.restype = ctypes.c_void_p
lib.mattock_time.restype = ctypes.c_double
lib.mattock_hash.restype = ctypes.c_uint64
lib.mattock_imbalance.restype = ctypes.c_int64

why = ctypes.create_string_buffer(512)
setup = Setup(site=site.encode(), x=-4.0)
world = ctypes.c_void_p(lib.mattock_create(ctypes.byref(setup), why, len(why)))
if not world:
    sys.exit(why.value.decode())

machine = Machine()
most = 0.0
lib.mattock_employ(world, b"pit", ctypes.c_double(1.0), 1, ctypes.c_uint64(1))
while lib.mattock_work(world, None):
    lib.mattock_machine(world, 0, ctypes.byref(machine))
    most = max(most, machine.payload)

heights = (ctypes.c_float * 12)()
lib.mattock_heights(world, ctypes.c_double(1.0), ctypes.c_double(0.0), ctypes.c_double(0.25), 12, 1, heights)
imbalance = lib.mattock_imbalance(world)
print(f"payload {most:.0f} kg, {machine.fuel:.2f} L, {lib.mattock_time(world):.1f} s, "
      f"hash {lib.mattock_hash(world):016x}, {imbalance} mg missing")
print("ground ahead:", " ".join(f"{h:.2f}" for h in heights))
lib.mattock_destroy(world)
sys.exit(0 if most > 500.0 and imbalance == 0 else 1)
