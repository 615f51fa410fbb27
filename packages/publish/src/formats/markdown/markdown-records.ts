/** Reads Markdown with front matter. A file is one record, whose attribute `text` is the text of the file. */
import { isObject, type JsonObject } from '@worldwright/client/protocol'
import type { ReadRecord } from '@worldwright/entities'
import { allOf } from '../../bytes/bytes.ts'
import { utf8Only } from '../../bytes/utf8.ts'
import type { FormatInput } from '../contract/format.ts'
import { recordsOfYaml } from '../yaml/yaml-records.ts'

/** Maximum file size in bytes. Generous, since entities are limited to 256 KiB. */
const MAX_TEXT_BYTES = 1024 * 1024

/** Matches front matter at the beginning of a text, and captures its YAML. */
export const FRONT_MATTER = /^\uFEFF?---[ \t]*\r?\n(?:([\s\S]*?)\r?\n)?---[ \t]*(?:\r?\n|$)/
const HEADING = /^#[ \t]+(.+?)[ \t]*#*[ \t]*$/m

/**
 * Yields the record of a Markdown file. Unless set by the front matter, its id is `id` and its title is the first top-level
 * heading.
 */
export async function* markdownRecords({ bytes, name, id }: FormatInput): AsyncGenerator<ReadRecord> {
  const text = await allOf(utf8Only(bytes, name), MAX_TEXT_BYTES)
  if (text) return yield recordOfMarkdown(text.toString(), id)
  const message = `the text is longer than ${MAX_TEXT_BYTES} bytes`
  yield { line: 1, fault: { pointer: '', reason: 'too_long', message } }
}

function recordOfMarkdown(text: string, id: string): ReadRecord {
  const match = FRONT_MATTER.exec(text)
  const body = (match ? text.slice(match[0].length) : text.replace(/^\uFEFF/, '')).trim()
  const given = [...recordsOfYaml(match?.[1] ?? '', 2)]
  const fault = given.find((read) => 'fault' in read)
  if (fault) return fault
  const [first] = given
  const matter = first && 'record' in first ? first.record : {}
  if (!isObject(matter)) {
    const message = 'front matter is a mapping of names to values'
    return { line: 1, fault: { pointer: '', reason: 'wrong_type', message } }
  }
  if (body !== '' && Object.hasOwn(matter, 'text')) {
    const message = 'the text of the file is the attribute text: front matter cannot say it as well'
    return { line: 1, fault: { pointer: '/text', reason: 'not_allowed', message } }
  }
  const heading = HEADING.exec(body)?.[1]
  const record: JsonObject = Object.fromEntries([
    ...(Object.hasOwn(matter, 'id') ? [] : [['id', id] as const]),
    ...(heading === undefined || Object.hasOwn(matter, 'title') ? [] : [['title', heading] as const]),
    ...Object.entries(matter),
    ...(body === '' ? [] : [['text', body] as const]),
  ])
  return { line: 1, record }
}
