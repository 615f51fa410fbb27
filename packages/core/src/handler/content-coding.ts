/** Compression of response bodies. Codings are an option of `createWorld`, because runtimes support different ones. */

/** A content coding for response bodies. */
export interface ContentCoding {
  /** Name of the coding in `Accept-Encoding`. */
  readonly name: string
  encode(body: Uint8Array): Promise<Uint8Array>
  /** Encodes a stream of pieces. An error in `pieces` propagates to the result. */
  encodePieces(pieces: AsyncIterable<Uint8Array | string>): AsyncIterable<Uint8Array>
}

/** Minimum size of a body to compress, in bytes. Compressing a smaller body would not save a single packet. */
export const MIN_CODED_BYTES = 1_024
