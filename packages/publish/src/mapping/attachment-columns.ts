/** Columns that name files of a world's attachments. */
import type { JsonValue } from '@worldwright/client/protocol'
import { attachmentPath } from '@worldwright/extensions/attachments'

/** A column that holds the names of files. */
export interface AttachmentColumn {
  readonly column: string
  /** Separator of the names, if a cell holds several. */
  readonly separator?: string
}

/** Attributes that name attachments: the column of each, or its column and separator. */
export type AttachmentColumns = Readonly<Record<string, string | AttachmentColumn>>

/** Returns the attachment columns of a mapping, in their long form. */
export function attachmentColumns({
  attachments = {},
}: {
  readonly attachments?: AttachmentColumns
}): (readonly [name: string, column: AttachmentColumn])[] {
  return Object.entries(attachments).map(([name, from]) => [
    name,
    typeof from === 'string' ? { column: from } : from,
  ])
}

/** Returns the paths of the files that a value names; a value that is no text stays. */
export function attachmentsOf(value: JsonValue, separator: string | undefined): JsonValue {
  if (Array.isArray(value)) return value.map((one) => attachmentsOf(one, undefined))
  if (typeof value !== 'string') return value
  if (separator === undefined) return attachmentPath(value)
  const names = value.split(separator).map((one) => one.trim())
  return names.filter((name) => name !== '').map(attachmentPath)
}
