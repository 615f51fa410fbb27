/** Reads parts of a file synchronously over HTTP, which is allowed only in a worker. */

/** Number of bytes per read. It is large, because neighbouring rows are often read next. */
const BLOCK_BYTES = 65_536
/** Maximum number of cached blocks. Together they take 16 MiB. */
const MOST_BLOCKS = 256

/**
 * Returns a function that reads the bytes in [`start`, `end`), or fewer if the file ends earlier. If the server does not
 * support ranges, the whole file is read once.
 * @throws Error if the server returns neither the range nor the file
 */
export function partReader(url: string): (start: number, end: number) => Uint8Array {
  const blocks = new Map<number, Uint8Array>()
  let whole: Uint8Array | undefined
  const block = (number: number): Uint8Array => {
    const known = blocks.get(number)
    if (known) return known
    const read = readPart(url, number * BLOCK_BYTES, (number + 1) * BLOCK_BYTES)
    if (read.isWhole) {
      whole = read.bytes
      return whole.subarray(number * BLOCK_BYTES, (number + 1) * BLOCK_BYTES)
    }
    const [oldest] = blocks.keys()
    if (oldest !== undefined && blocks.size >= MOST_BLOCKS) blocks.delete(oldest)
    blocks.set(number, read.bytes)
    return read.bytes
  }
  return (start, end) => {
    const bytes = new Uint8Array(end - start)
    let at = start
    while (at < end && whole === undefined) {
      const number = Math.floor(at / BLOCK_BYTES)
      const within = at - number * BLOCK_BYTES
      const part = block(number).subarray(within, within + end - at)
      if (part.byteLength === 0) break
      bytes.set(part, at - start)
      at += part.byteLength
    }
    return whole === undefined ? bytes.subarray(0, at - start) : whole.subarray(start, end)
  }
}

function readPart(url: string, start: number, end: number): { bytes: Uint8Array; isWhole: boolean } {
  const request = new XMLHttpRequest()
  request.open('GET', url, false)
  request.responseType = 'arraybuffer'
  request.setRequestHeader('range', `bytes=${start}-${end - 1}`)
  request.send()
  const { status } = request
  if (status === 416) return { bytes: new Uint8Array(), isWhole: false }
  if (status !== 206 && status !== 200) throw new Error(`${url} answers ${status}`)
  return { bytes: new Uint8Array(request.response as ArrayBuffer), isWhole: status === 200 }
}
