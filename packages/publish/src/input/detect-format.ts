/** Detects the format of a file from its first bytes, its definition, its extension, or its text. */
import { SourceFault } from '../bytes/source-fault.ts'
import type { Format } from '../formats/contract/format.ts'
import { csv } from '../formats/csv.ts'
import { formatNamed, formatNames, formats, formatsOfFile } from '../formats/formats.ts'
import { refuseOtherBytes, refuseOtherText } from './refused-files.ts'

/** Number of bytes at the start of a file that contain the signature of any binary format. */
const SIGNATURE_BYTES = 512

/** Returns the binary format of a file, or undefined for text. @throws SourceFault if no format can read it */
export function binaryFormat(head: Buffer, name: string): Format | undefined {
  const start = head.toString('latin1', 0, SIGNATURE_BYTES)
  const found = formats().find((format) => format.isBinary && format.sniff?.(start))
  if (!found) refuseOtherBytes(start, name)
  return found
}

/**
 * Returns the format of `text`: `format` if set, JSON if `records` is set, or else by the file extension or content.
 * @throws SourceFault if no format can read it
 */
export function textFormat(
  text: string,
  name: string,
  { format, records }: { readonly format?: string | undefined; readonly records?: string | undefined },
): Format {
  const said = format ?? (records === undefined ? undefined : 'json')
  if (said !== undefined) return asText(knownFormat(said, name), name)
  const start = text.trimStart()
  const named = formatsOfFile(name)
  const [first, ...others] = named
  // If the format is certain and is not a table, the text may begin with anything.
  const isCertain = first !== undefined && others.length === 0
  if (!isCertain || first.isTable) refuseOtherText(start, name)
  if (isCertain) return asText(first, name)
  const found = (first ? named : formats()).find((one) => !one.isBinary && one.sniff?.(start))
  if (found) return found
  if (first === undefined) {
    if (!start.includes('\0')) return csv
    throw new SourceFault(`${name}: this is a binary file of no known format. Export it as CSV or Parquet.`)
  }
  const beginning = JSON.stringify(start.slice(0, 40).split('\n')[0])
  const { title, begins } = named.find((one) => one.begins) ?? first
  const right = begins === undefined ? '' : ` ${title} begins with ${begins}.`
  throw new SourceFault(`${name}: this is not ${title}: it begins ${beginning}.${right}`)
}

function knownFormat(format: string, name: string): Format {
  const found = formatNamed(format)
  if (found) return found
  throw new SourceFault(`${name}: there is no format ${format}; there are ${formatNames().join(', ')}.`)
}

function asText(format: Format, name: string): Format {
  if (!format.isBinary) return format
  throw new SourceFault(
    `${name}: this is no ${format.title} file, though it is called so. Say format: in the definition, or rename it.`,
  )
}
