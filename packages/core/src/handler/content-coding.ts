/** Compression of response bodies, supplied by the creator of a world: runtimes compress in different ways, or not at all. */

/** A content coding in which responses can be encoded. */
export interface ContentCoding {
  /** As `Accept-Encoding` names it. */
  readonly name: string
  encode(body: Uint8Array): Promise<Uint8Array>
  /** Encodes pieces as they are read. Errors of the pieces propagate to the result. */
  encodePieces(pieces: AsyncIterable<Uint8Array | string>): AsyncIterable<Uint8Array>
}

/** Minimum size to compress, in bytes: a smaller body gains less than a packet and is sent unencoded. */
export const MIN_CODED_BYTES = 1_024
