/// JPEG XL codestreams: the one wrapper of libjxl.
package enum JPEGXLCodec {}
