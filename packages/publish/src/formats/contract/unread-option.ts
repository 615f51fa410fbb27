/** Options for reading a file that only some formats have. */
import type { FileOptions, Format } from './format.ts'

/** Options of the layout of a table. */
export const LAYOUT = ['header', 'skip', 'until', 'except'] as const

/** Options that only some formats have. */
export const OPTIONS = ['delimiter', 'quote', 'sheet', 'hidden', 'records', ...LAYOUT] as const

/** Returns the first option that is set but that none of these formats has, and a message, or undefined. */
export function unreadOption(options: FileOptions, formats: readonly Format[]) {
  const read = formats.flatMap((format) => format.options ?? [])
  const option = OPTIONS.find((name) => options[name] !== undefined && !read.includes(name))
  return option && { option, message: `does not apply to ${formats[0]?.title}. Remove it` }
}
