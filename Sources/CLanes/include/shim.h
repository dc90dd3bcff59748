// The smaller and the larger of each pair of lanes, as one instruction each.
//
// Written in Swift as a choice by a comparison, they are one instruction in a loop of their own, but in a
// longer kernel the optimizer takes the choices apart into scalars and branches. An intrinsic stays whole.
#pragma once

typedef float rawmill_lanes __attribute__((ext_vector_type(8)));
#if defined(__AVX__)
typedef float rawmill_register __attribute__((vector_size(32)));
#endif

// other where other < lanes, else lanes: lanes too where one of both is not a number.
static inline __attribute__((always_inline)) rawmill_lanes rawmill_minimum(
    rawmill_lanes lanes, rawmill_lanes other) {
#if defined(__AVX__)
  return (rawmill_lanes)__builtin_ia32_minps256((rawmill_register)other, (rawmill_register)lanes);
#else
  return other < lanes ? other : lanes;
#endif
}

// other where other > lanes, else lanes: lanes too where one of both is not a number.
static inline __attribute__((always_inline)) rawmill_lanes rawmill_maximum(
    rawmill_lanes lanes, rawmill_lanes other) {
#if defined(__AVX__)
  return (rawmill_lanes)__builtin_ia32_maxps256((rawmill_register)other, (rawmill_register)lanes);
#else
  return other > lanes ? other : lanes;
#endif
}
