/** Columns that contain file names of a world's attachments. */
import type { JsonValue } from '@worldwright/client/protocol'
import { attachmentPath } from '@worldwright/extensions/attachments'

/** A column that contains file names. */
export interface AttachmentColumn {
  readonly column: string
  /** Separator of the names if a cell contains several. */
  readonly separator?: string
}

/** Maps each attribute that names attachments to its column, given by name or with a separator. */
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

/** Returns the paths of the files named by a value. A value that is not text is returned unchanged. */
export function attachmentsOf(value: JsonValue, separator: string | undefined): JsonValue {
  if (Array.isArray(value)) return value.map((one) => attachmentsOf(one, undefined))
  if (typeof value !== 'string') return value
  if (separator === undefined) return attachmentPath(value)
  const names = value.split(separator).map((one) => one.trim())
  return names.filter((name) => name !== '').map(attachmentPath)
}
