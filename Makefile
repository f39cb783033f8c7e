# Mattock - build, test and install. `make help` lists the targets.
#
# What builds where (BUILD is the output root, default build/):
#   BUILD/libmattock.a    src/* without platform, render and app: no window, no GL
#   BUILD/mattock         the program
#   BUILD/tests/...       one program per test_*.c of tests/unit, tests/physics and tests/view
#   BUILD/obj/...         objects; all are rebuilt when the compiler or a flag changes
#
# Same bits everywhere: no flag below may let the compiler re-associate, fuse or approximate
# floating-point operations, and none may depend on the CPU of the building machine.

VERSION := 0.1.0

ifeq ($(origin CC),default)
CC := gcc
endif
ifeq ($(origin OPT),undefined)
OPT        := -O2
KERNEL_OPT := -O3
else
KERNEL_OPT := $(OPT)
endif

BUILD      ?= build
BUILD_ROOT ?= build
PREFIX     ?= /usr/local
DESTDIR    ?=
ARGS       ?=
FILTER     ?=
SAN        ?=
DEBUG      ?=
WERROR     ?= -Werror

# all cores, unless the user said -j
ifeq ($(MAKELEVEL),0)
MAKEFLAGS += -j$(shell nproc)
endif
MAKEFLAGS += --no-print-directory --no-builtin-rules

OBJ   := $(BUILD)/obj
LIB   := $(BUILD)/libmattock.a
SHARED := $(BUILD)/libmattock.so
BIN   := $(BUILD)/mattock
UNITY := $(BUILD_ROOT)/third_party/unity
TOOLS := tests/tools

# --- flags ---------------------------------------------------------------------------------

WARN    := -Wall -Wextra -Wshadow -Wvla -Wstrict-prototypes -Wmissing-prototypes \
           -Wdouble-promotion -Wfloat-conversion -Wpointer-arith -Wundef $(WERROR)
FLOAT   := -ffp-contract=off -fno-math-errno
CFLAGS  ?=
# An overflow ends the program instead of obeying the file that caused it; checked by
# tests/smoke/hardening.sh. FORTIFY needs the optimiser; sanitizers bring checks of their own. None of
# these flags touches arithmetic: tests/golden has the same hashes with and without them.
HARDEN  := $(if $(SAN),,-fPIE -fstack-protector-strong -fstack-clash-protection \
           $(if $(filter -O0,$(OPT)),,-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2))
HARDEN_LD := $(if $(SAN),,-pie -Wl,-z,relro,-z,now,-z,noexecstack)
ALL_CFLAGS := -std=gnu17 -D_GNU_SOURCE= -g $(FLOAT) $(WARN) $(HARDEN) -Isrc -DMATTOCK_VERSION='"$(VERSION)"' \
              $(if $(DEBUG),-DMATTOCK_DEBUG=1) \
              $(if $(SAN),-fsanitize=$(SAN) -fno-sanitize-recover=all -fno-omit-frame-pointer) \
              $(CFLAGS)
ALL_LDFLAGS := $(if $(SAN),-fsanitize=$(SAN)) $(HARDEN_LD) $(LDFLAGS)
LIBS        := -lyaml -lxxhash -lzstd -lpthread -lm
WINDOW_LIBS := -lSDL2 -lGLEW -lGL
SSE2_FLAGS  := -DSIMD_ISA=sse2
AVX2_FLAGS  := -DSIMD_ISA=avx2 -mavx2 -mno-fma
TEST_CFLAGS := -Itests -isystem $(UNITY)/src -isystem $(UNITY)/examples -DUNITY_INCLUDE_CONFIG_H \
               -Wno-double-promotion -Wno-float-conversion

# --- sources, found by pattern -------------------------------------------------------------

WINDOW_DIRS := src/platform src/render src/app
SOURCES     := $(wildcard src/*/*.c)
WINDOW_SRC  := $(filter $(addsuffix /%,$(WINDOW_DIRS)),$(SOURCES))
LIB_SRC     := $(filter-out $(WINDOW_SRC),$(SOURCES))

# a kernel (src/*/*_simd.c) goes into the library twice, once per instruction set
KERNEL_SRC  := $(filter %_simd.c,$(LIB_SRC))
PLAIN_SRC   := $(filter-out $(KERNEL_SRC),$(LIB_SRC))
LIB_OBJ     := $(PLAIN_SRC:%.c=$(OBJ)/%.o) \
               $(KERNEL_SRC:%.c=$(OBJ)/%.sse2.o) $(KERNEL_SRC:%.c=$(OBJ)/%.avx2.o)
# the same again, to be loaded anywhere: other languages load the shared library
PIC_OBJ     := $(LIB_OBJ:$(OBJ)/%=$(OBJ)/pic/%)
APP_OBJ     := $(WINDOW_SRC:%.c=$(OBJ)/%.o)

UNIT_SRC     := $(wildcard tests/unit/test_*.c)
PHYSICS_SRC  := $(wildcard tests/physics/test_*.c)
VIEW_SRC     := $(wildcard tests/view/test_*.c)
VIEW_BIN     := $(VIEW_SRC:%.c=$(BUILD)/%)
FAULT_SRC    := $(wildcard tests/faults/test_*.c)
FAULT_BIN    := $(FAULT_SRC:%.c=$(BUILD)/%)
UNIT_BIN     := $(UNIT_SRC:%.c=$(BUILD)/%)
PHYSICS_BIN  := $(PHYSICS_SRC:%.c=$(BUILD)/%)
TEST_OBJ     := $(patsubst %.c,$(OBJ)/%.o,$(wildcard tests/*/*.c))
TEST_SCRIPTS := $(filter-out $(TOOLS)/%,$(wildcard tests/*/*.sh))
# numbers that went bad find what reads beyond its arrays only under the sanitizers
ASAN_SRC     := $(UNIT_SRC) tests/faults/test_injection.c
ASAN_BIN     := $(ASAN_SRC:%.c=$(BUILD)/asan/%)
TSAN_SRC     := $(wildcard tests/unit/test_jobs*.c tests/unit/test_view_frame.c tests/unit/test_soil*.c tests/unit/test_terrain*.c tests/unit/test_coupling*.c)
# readers of files, under libFuzzer with the parts of the library that they need
FUZZ_SRC     := $(wildcard tests/fuzz/fuzz_*.c)
FUZZ_BIN     := $(FUZZ_SRC:%.c=$(BUILD)/%)
FUZZ_OBJ     := $(filter $(addprefix $(OBJ)/src/,base/% jobs/% input/% material/% terrain/% site/% \
                machine/% score/% scenario/% record/% soil/% coupling/% world/%),$(LIB_OBJ))
# the programs and scripts that FILTER=text leaves in
chosen = $(if $(FILTER),$(foreach f,$(1),$(if $(findstring $(FILTER),$(f)),$(f))),$(1))

# --- the program ---------------------------------------------------------------------------

.PHONY: all shared run test check format yardsticks debug asan tsan bench bench-peers lab golden-update manual install \
        uninstall dist clean help setup setup-test unit-programs asan-programs view-programs fuzz \
        fuzz-programs qualify qualify-master drive test-faults fault-programs soak lessons-long test-long coverage FORCE
.DELETE_ON_ERROR:
.SECONDARY:

all: $(LIB) $(if $(APP_OBJ),$(BIN)) ## build the library and the program (the default)

run: all ## set up, build and start the trainer; ARGS="..." are handed on
	@$(BIN) $(ARGS)

.PHONY: pictures
pictures: all ## what the trainer looks like, into build/pictures
	@$(BIN) pictures --out $(BUILD)/pictures $(ARGS)

$(LIB): $(LIB_OBJ)
	@echo "  AR    $@"
	@rm -f $@
	@$(AR) rcs $@ $^

# of all that is in it only src/sim/mattock.h can be seen from outside
$(SHARED): $(PIC_OBJ)
	@echo "  LD    $@"
	@printf '{ global: mattock_*; local: *; };\n' > $(OBJ)/pic/exports
	@$(CC) -shared $(filter-out -pie,$(ALL_LDFLAGS)) -Wl,--version-script=$(OBJ)/pic/exports -o $@ $(PIC_OBJ) $(LIBS)

shared: $(SHARED) ## build build/libmattock.so, the C interface for other languages

$(BIN): $(APP_OBJ) $(LIB)
	@echo "  LD    $@"
	@$(CC) $(ALL_LDFLAGS) -o $@ $(APP_OBJ) $(LIB) $(WINDOW_LIBS) $(LIBS)

# compile = flags, after the pattern rule's own $< and $@
define compile
@mkdir -p $(@D)
@echo "  CC    $(@:$(OBJ)/%=%)"
@$(CC) $(ALL_CFLAGS) $(1) -MMD -MP -c -o $@ $<
endef

$(OBJ)/%.sse2.o: %.c $(OBJ)/flags | setup
	$(call compile,$(KERNEL_OPT) $(SSE2_FLAGS))
$(OBJ)/%.avx2.o: %.c $(OBJ)/flags | setup
	$(call compile,$(KERNEL_OPT) $(AVX2_FLAGS))
$(OBJ)/pic/%.sse2.o: %.c $(OBJ)/flags | setup
	$(call compile,$(KERNEL_OPT) $(SSE2_FLAGS) -fPIC)
$(OBJ)/pic/%.avx2.o: %.c $(OBJ)/flags | setup
	$(call compile,$(KERNEL_OPT) $(AVX2_FLAGS) -fPIC)
$(OBJ)/pic/src/%.o: src/%.c $(OBJ)/flags | setup
	$(call compile,$(OPT) -fPIC)
$(OBJ)/src/%.o: src/%.c $(OBJ)/flags | setup
	$(call compile,$(OPT))
$(OBJ)/tests/%.o: tests/%.c $(OBJ)/flags | setup-test
	$(call compile,$(OPT) $(TEST_CFLAGS))

# the flags of the last build; touched only when they differ, so that objects follow
FLAGS_TEXT = $(shell $(CC) --version 2>/dev/null | head -n 1) $(OPT) $(KERNEL_OPT) $(ALL_CFLAGS) \
             $(ALL_LDFLAGS) $(SSE2_FLAGS) $(AVX2_FLAGS)
$(OBJ)/flags: FORCE | setup
	@mkdir -p $(@D)
	@printf '%s\n' $(call quote,$(FLAGS_TEXT)) | cmp -s - $@ || \
	 printf '%s\n' $(call quote,$(FLAGS_TEXT)) > $@
quote = '$(subst ','\'',$(1))'

-include $(LIB_OBJ:.o=.d) $(PIC_OBJ:.o=.d) $(APP_OBJ:.o=.d) $(TEST_OBJ:.o=.d)

# --- set-up: one script, silent and quick when nothing is missing --------------------------

setup:
	@CC='$(CC)' $(TOOLS)/setup.sh build
setup-test: setup
	@CC='$(CC)' UNITY_DIR='$(UNITY)' $(TOOLS)/setup.sh test

# --- tests ---------------------------------------------------------------------------------

$(UNITY)/src/unity.c: | setup-test ;
$(OBJ)/unity.o: $(UNITY)/src/unity.c $(OBJ)/flags | setup-test
	@mkdir -p $(@D)
	@$(CC) $(OPT) $(ALL_CFLAGS) $(TEST_CFLAGS) -w -c -o $@ $<

$(BUILD)/tests/%: $(OBJ)/tests/%.o $(OBJ)/unity.o $(LIB)
	@mkdir -p $(@D)
	@echo "  LD    $@"
	@$(CC) $(ALL_LDFLAGS) -o $@ $^ $(LIBS)

# tests of pictures, of the trainer and of what it keeps need what is not in the library
DRAW_OBJ := $(filter-out %/app_main.o,$(APP_OBJ))
define link_drawing
@mkdir -p $(@D)
@echo "  LD    $@"
@$(CC) $(ALL_LDFLAGS) -o $@ $^ $(WINDOW_LIBS) $(LIBS)
endef
$(BUILD)/tests/view/%: $(OBJ)/tests/view/%.o $(OBJ)/unity.o $(DRAW_OBJ) $(LIB)
	$(call link_drawing)
$(BUILD)/tests/unit/test_app_%: $(OBJ)/tests/unit/test_app_%.o $(OBJ)/unity.o $(DRAW_OBJ) $(LIB)
	$(call link_drawing)

unit-programs: $(call chosen,$(UNIT_BIN))
	@:
view-programs: $(call chosen,$(VIEW_BIN))
	@:

RUN_TESTS = BUILD='$(BUILD)' CC='$(CC)' $(TOOLS)/run_tests.sh
ASAN_MAKE = $(MAKE) BUILD=$(BUILD)/asan SAN=address,undefined DEBUG=1 OPT=-O1

test: all $(SHARED) $(call chosen,$(UNIT_BIN) $(PHYSICS_BIN) $(FAULT_BIN) $(VIEW_BIN)) ## run every test; FILTER=text keeps those whose path has the text
	+@$(ASAN_MAKE) asan-programs
	+@$(if $(call chosen,tests/smoke/sanitize.sh),$(ASAN_MAKE) $(BUILD)/asan/mattock)
	+@$(if $(call chosen,tests/fuzz/fuzz.sh),$(FUZZ_MAKE) fuzz-programs)
	@$(RUN_TESTS) $(call chosen,$(UNIT_BIN) $(PHYSICS_BIN) $(FAULT_BIN) $(VIEW_BIN) $(TEST_SCRIPTS) $(ASAN_BIN))

# clang's libFuzzer in a build of its own; short runs belong to the tests, long ones to make fuzz
FUZZ_MAKE = $(MAKE) BUILD=$(BUILD)/fuzz CC=clang SAN=address,undefined,fuzzer-no-link DEBUG=1 OPT=-O1
# loops over columns and grains compare numbers that no input byte holds: looking at each only costs time
ifneq ($(findstring fuzzer,$(SAN)),)
$(filter $(addprefix $(OBJ)/src/,soil/% terrain/% coupling/% machine/machine_solve.% machine/machine_rig.% machine/machine_contact.%),$(LIB_OBJ)): \
    CFLAGS += -fno-sanitize-coverage=trace-cmp
endif
$(BUILD)/tests/fuzz/%: $(OBJ)/tests/fuzz/%.o $(FUZZ_OBJ)
	@mkdir -p $(@D)
	@echo "  LD    $@"
	@$(CC) $(ALL_LDFLAGS) -fsanitize=fuzzer -o $@ $^ $(LIBS)

fuzz-programs: $(FUZZ_BIN)
	@:

fuzz: setup-test ## feed hostile bytes to every reader; FUZZ_SECONDS=300 for each of them
	+@$(FUZZ_MAKE) fuzz-programs
	@BUILD='$(BUILD)' FUZZ_SECONDS=$(or $(FUZZ_SECONDS),300) tests/fuzz/fuzz.sh

FAULT_ALSO = $(addprefix $(BUILD)/tests/unit/test_,record_faults world base_yaml_memory jobs input)
test-faults: all $(FAULT_BIN) $(FAULT_ALSO) ## every fault that can be automated (docs/reliability.md); FAULT_KILLS=500
	@$(RUN_TESTS) $(call chosen,$(FAULT_BIN) $(FAULT_ALSO) $(wildcard tests/faults/*.sh))

asan-programs: $(call chosen,$(ASAN_SRC:%.c=$(BUILD)/%))
	@:

asan: setup-test ## run the unit tests under the address and undefined-behaviour sanitizers
	+@$(ASAN_MAKE) asan-programs
	@$(RUN_TESTS) $(call chosen,$(ASAN_BIN))

# instrumented code makes gcc guess badly about these two
TSAN_MAKE = $(MAKE) BUILD=$(BUILD)/tsan SAN=thread DEBUG=1 OPT=-O1 \
            CFLAGS='$(CFLAGS) -Wno-clobbered -Wno-format-truncation'
drive: setup-test ## the whole trainer at work under the address and the thread sanitizer; DRIVE_SECONDS=30
	+@$(ASAN_MAKE) $(BUILD)/asan/mattock
	+@$(TSAN_MAKE) $(BUILD)/tsan/mattock
	@DRIVE_SECONDS=$(or $(DRIVE_SECONDS),30) SANITIZERS='address thread' $(RUN_TESTS) tests/smoke/sanitize.sh

tsan: setup-test ## run the tests of jobs, soil and terrain under the thread sanitizer
	@$(TSAN_MAKE) $(TSAN_SRC:%.c=$(BUILD)/tsan/%)
	@$(RUN_TESTS) $(call chosen,$(TSAN_SRC:%.c=$(BUILD)/tsan/%))

manual: all ## write the options that --help tells into docs/mattock.6
	@BUILD='$(BUILD)' $(TOOLS)/manual.sh --update

golden-update: all | setup-test ## store today's hashes and counts as the expected ones; say why in CHANGELOG
	@for script in $(wildcard tests/golden/*.sh tests/bench/*.sh); do \
	    BUILD='$(BUILD)' CC='$(CC)' GOLDEN_UPDATE=1 $$script || exit 1; done

yardsticks: all ## drive lessons with the built-in expert and store what it reaches; LESSONS="pit trench"
	@for lesson in $(or $(LESSONS),$(filter-out free,$(basename $(notdir $(wildcard config/scenarios/*.yaml))))); do \
	    $(BIN) run $$lesson --lesson --headless --quiet --yardstick config/scenarios/expert/$$lesson.yaml || exit 1; done

# --- rules of the house --------------------------------------------------------------------

FORMAT_FILES = $(wildcard src/*/*.[ch] tests/*/*.[ch])

check: all | setup-test ## the layer rule, the prefix rule and the format
	@$(TOOLS)/check_layers.sh
	@$(TOOLS)/check_prefix.sh $(LIB_OBJ) $(APP_OBJ)
	@bad=$$(clang-format --dry-run $(FORMAT_FILES) 2>&1 | sed -nE 's/^([^:]+):.*-Wclang-format-violations.*/\1/p' | \
	    sort -u); [ -z "$$bad" ] || { echo "run make format for:" $$bad; exit 1; }
	@echo "check: layers, prefixes and format are fine"

format: | setup-test ## rewrite all C files with clang-format
	@clang-format -i $(FORMAT_FILES)

# --- other builds and measurements ---------------------------------------------------------

debug: ## build without optimisation and with all assertions, in build/debug
	@$(MAKE) BUILD=$(BUILD)/debug DEBUG=1 OPT=-O0 all

bench: all ## time the solver; ARGS="..." are handed to `mattock bench`
	@$(BIN) bench $(or $(ARGS),soil)

bench-peers: all ## time other engines beside ours (installs them on request)
	@BUILD='$(BUILD)' CC='$(CC)' tests/bench/peers/run.sh $(ARGS)

lab: all ## run a physics experiment: make lab ARGS="bed --png bed.png"
	@$(BIN) lab $(or $(ARGS),list)

qualify: all ## run every experiment against targets and master: build/qualify.html
	@$(BIN) qualify --out $(BUILD)/qualify.html $(ARGS)

qualify-master: all ## freeze today's results as the master; say why in CHANGELOG
	@$(BIN) qualify --quick --freeze config/qualify/quick.yaml --out $(BUILD)/qualify.html || [ $$? = 1 ]

soak: all ## every lesson by chance, twice, in one process each; SOAK_SECONDS=28800 simulated in all; goes on where it was
	@BUILD='$(BUILD)' tests/tools/soak.sh

LESSONS_REACHED := controls travel trace pit trench footing load_truck backfill slope stockpile utilities collapse clay
# where a novice has to have less after the same time
LESSONS_NOVICE  := trace load_truck backfill stockpile collapse clay
lessons-long: all ## the built-in expert works lessons to their ends, a novice some of them; LESSONS="trench"
	@BUILD='$(BUILD)' NOVICE='$(LESSONS_NOVICE)' $(TOOLS)/lessons_long.sh $(or $(LESSONS),$(LESSONS_REACHED))

# Everything, and longer: hours. Each part goes on when one before it has failed; the last line counts.
LONG = test lessons-long 'test-faults FAULT_ALL=1 FAULT_KILLS=500' tsan 'fuzz FUZZ_SECONDS=300' 'soak SOAK_SECONDS=7200' \
       'qualify' coverage
test-long: all ## all tests, all faults, 500 kills, thread sanitizer, 5 min per fuzzer, 2 h soak, all experiments: hours
	@$(TOOLS)/test_long.sh $(LONG)

# Lines that the unit tests and goldens run, per file; parsers and the save path have to reach 95 %.
coverage: setup-test ## coverage of lines by the unit tests, with gcov
	+@$(MAKE) BUILD=$(BUILD)/coverage OPT=-O0 CFLAGS='--coverage' LDFLAGS='--coverage' unit-programs fault-programs
	@BUILD='$(BUILD)' tests/tools/coverage.sh

fault-programs: $(FAULT_BIN)
	@:

# --- packaging -----------------------------------------------------------------------------

DATA_DIRS = $(wildcard config vehicles assets shaders)
ROOT      = $(DESTDIR)$(PREFIX)
SHARE     = $(ROOT)/share/mattock
DOC       = $(ROOT)/share/doc/mattock
MAN       = $(ROOT)/share/man/man6/mattock.6
DESKTOP   = $(ROOT)/share/applications/mattock.desktop
ICON      = $(ROOT)/share/icons/hicolor/scalable/apps/mattock.svg

install: all $(SHARED) ## install below PREFIX (default /usr/local); DESTDIR is honoured
	@install -d $(ROOT)/bin $(ROOT)/lib $(SHARE) $(DOC)
	@install -m 755 $(BIN) $(ROOT)/bin/mattock
	@install -m 644 $(LIB) $(ROOT)/lib/libmattock.a
	@install -m 755 $(SHARED) $(ROOT)/lib/libmattock.so
	@for header in $(filter-out $(addsuffix /%,$(WINDOW_DIRS)),$(wildcard src/*/*.h)); do \
	    install -D -m 644 $$header $(ROOT)/include/mattock/$${header#src/} || exit 1; done
	@for dir in $(DATA_DIRS); do cp -R --no-preserve=ownership $$dir $(SHARE)/ || exit 1; done
	@rm -rf $(SHARE)/assets/desktop
	@install -m 644 README.md CHANGELOG.md LICENSE $(wildcard docs/*.md) $(DOC)/
	@install -d $(DOC)/docs/img && install -m 644 $(wildcard docs/img/*) $(DOC)/docs/img/
	@install -D -m 644 docs/mattock.6 $(MAN)
	@install -D -m 644 assets/desktop/mattock.desktop $(DESKTOP)
	@install -D -m 644 assets/desktop/mattock.svg $(ICON)
	@echo "installed below $(ROOT)"

uninstall: ## remove what install put there
	@rm -f $(ROOT)/bin/mattock $(ROOT)/lib/libmattock.a $(ROOT)/lib/libmattock.so $(MAN) $(DESKTOP) $(ICON)
	@rm -rf $(ROOT)/include/mattock $(SHARE) $(DOC)

dist: ## pack the committed files as build/mattock-VERSION.tar.gz
	@git rev-parse --verify -q HEAD >/dev/null || \
	    { echo "dist packs what is committed: run it in a clone, not in an unpacked tarball"; exit 1; }
	@mkdir -p $(BUILD)
	@git archive --prefix=mattock-$(VERSION)/ -o $(BUILD)/mattock-$(VERSION).tar.gz HEAD
	@echo $(BUILD)/mattock-$(VERSION).tar.gz

clean: ## remove everything that was built
	@rm -rf $(BUILD)

help: ## this list
	@echo "make TARGET [CC=clang] [OPT=-O0|-O2|-O3] [BUILD=dir] [FILTER=text] [ARGS=\"...\"]"
	@sed -nE 's/^([a-z-]+):[^#]*## (.*)/  \1\t\2/p' Makefile | expand -t 20
