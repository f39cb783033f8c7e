// base_text - numbers and words as people write them.
//
// Does:     read and print numbers the same way in every locale; find the word that was meant.
// Does not: allocate.
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdbool.h>

#define BASE_TEXT_NUMBER 32 // bytes that hold any printed number

// Reads a plain decimal or scientific number (-12, 0.5, 1e-3) from the whole of text. False for
// anything else: inf, nan, hex, a leading + or point, spaces, trailing text, or what overflows.
bool base_text_double(const char* text, double* out);

// The same for a whole decimal number of int's range.
bool base_text_int(const char* text, int* out);

// Shortest decimal text that reads back as the same value; "nan", "inf" and "-inf" for those.
// Returns buffer.
const char* base_text_from_double(char buffer[BASE_TEXT_NUMBER], double value);
const char* base_text_from_float(char buffer[BASE_TEXT_NUMBER], float value);

// The word that was probably meant, or NULL when none is near. words ends with NULL.
const char* base_text_nearest(const char* word, const char* const* words);

#endif
