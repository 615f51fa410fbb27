/** Compression of response bodies, provided by whoever makes a world: runtimes compress in different ways, or not at all. */

/** One content coding that answers can be given in. */
export interface ContentCoding {
  /** As `Accept-Encoding` names it. */
  readonly name: string
  encode(body: Uint8Array): Promise<Uint8Array>
  /** Encodes pieces as they are read. An error of their source is one of the result. */
  encodePieces(pieces: AsyncIterable<Uint8Array | string>): AsyncIterable<Uint8Array>
}

/** Smaller bodies gain less than a packet and are sent as they are. */
export const MIN_CODED_BYTES = 1_024
