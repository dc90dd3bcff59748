/// Baseline JPEG: the one wrapper of libjpeg-turbo.
package enum JPEGCodec {}
