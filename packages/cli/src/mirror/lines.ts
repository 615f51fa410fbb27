/** Reads and writes line-oriented files as streams. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'

/** Size of a read chunk in bytes, and of the write buffer in characters. */
const PIECE_CHARACTERS = 256 * 1024

/** Yields the lines of a file, including an unterminated last line. Unlike `node:readline`, does not split at U+2028. */
export async function* linesOf(file: string): AsyncGenerator<string> {
  let rest = ''
  for await (const chunk of createReadStream(file, { encoding: 'utf8', highWaterMark: PIECE_CHARACTERS })) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') yield rest
}

/** Number of lines, size and hash of a written file. */
export interface WrittenLines {
  readonly lines: number
  readonly bytes: number
  /** SHA-256 of the file, in hexadecimal. */
  readonly sha256: string
}

/** Writes lines to a file, which `end` or `abandon` closes. */
export class LineWriter {
  readonly #handle: FileHandle
  readonly #hash = createHash('sha256')
  #piece = ''
  #lines = 0
  #bytes = 0

  private constructor(handle: FileHandle) {
    this.#handle = handle
  }

  /** Creates an empty file, replacing an existing one. */
  static async create(file: string): Promise<LineWriter> {
    return new LineWriter(await open(file, 'w'))
  }

  /** Appends a line, and flushes the buffer if it is full. */
  async add(line: string): Promise<void> {
    this.#piece += `${line}\n`
    this.#lines += 1
    if (this.#piece.length >= PIECE_CHARACTERS) await this.#flush()
  }

  /** Syncs the file to disk, closes it, and returns its line count, size and hash. */
  async end(): Promise<WrittenLines> {
    await this.#flush()
    await this.#handle.sync()
    await this.#handle.close()
    return { lines: this.#lines, bytes: this.#bytes, sha256: this.#hash.digest('hex') }
  }

  /** Closes the file without flushing the buffer. */
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
