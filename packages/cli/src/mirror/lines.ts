/** Reads and writes files of lines as streams. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'

/** Size of a chunk, in characters. */
const PIECE_CHARACTERS = 256 * 1024

/** Yields the lines of a file without line ends, also an unterminated last one. `node:readline` would split at U+2028 too. */
export async function* linesOf(file: string): AsyncGenerator<string> {
  let rest = ''
  for await (const chunk of createReadStream(file, { encoding: 'utf8', highWaterMark: PIECE_CHARACTERS })) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') yield rest
}

/** Size and hash of a file of lines. */
export interface WrittenLines {
  readonly lines: number
  readonly bytes: number
  /** Hexadecimal. */
  readonly sha256: string
}

/** Owns a new file until it is ended or abandoned. */
export class LineWriter {
  readonly #handle: FileHandle
  readonly #hash = createHash('sha256')
  #piece = ''
  #lines = 0
  #bytes = 0

  private constructor(handle: FileHandle) {
    this.#handle = handle
  }

  /** Creates a file that is empty. */
  static async create(file: string): Promise<LineWriter> {
    return new LineWriter(await open(file, 'w'))
  }

  /** Appends a line, waiting for the disk if the buffer is full. */
  async add(line: string): Promise<void> {
    this.#piece += `${line}\n`
    this.#lines += 1
    if (this.#piece.length >= PIECE_CHARACTERS) await this.#flush()
  }

  /** Resolves when everything has reached the disk. */
  async end(): Promise<WrittenLines> {
    await this.#flush()
    await this.#handle.sync()
    await this.#handle.close()
    return { lines: this.#lines, bytes: this.#bytes, sha256: this.#hash.digest('hex') }
  }

  /** Closes the file as it is. */
  async abandon(): Promise<void> {
    await this.#handle.close().catch(() => {})
  }

  async #flush(): Promise<void> {
    const bytes = Buffer.from(this.#piece)
    this.#piece = ''
    this.#bytes += bytes.byteLength
    this.#hash.update(bytes)
    await this.#handle.writeFile(bytes)
  }
}
