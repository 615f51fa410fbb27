import { count, type Io, jsonText, tableLines, visible } from '@worldwright/serve/terminal'
import type { Meanwhile, Reading, TypeReading } from '../mirror/reading.ts'

/** Formats a statement: a table of types, then skipped types, lost members, unrecognised entries, and changes meanwhile. */
export function statementLines(
  { types, unrecognised, pages, meanwhile }: Reading,
  output: Io['stderr'],
): string[] {
  const all = Object.entries(types)
  const rows = all.map(([type, { entities, pages, skipped }]) =>
    skipped ? [type, 'skipped'] : [type, entities.toLocaleString('en'), pages?.toLocaleString('en') ?? ''],
  )
  return [
    ...(rows.length > 0 ? tableLines(output, ['TYPE', 'ENTITIES', 'PAGES'], rows) : []),
    ...all.flatMap(([type, reading]) => typeLines(type, reading)),
    ...unrecognised.map((entry) =>
      visible(`Skipped an entry of the type list, not recognised: ${jsonText(entry)}`),
    ),
    `${count(all.length, 'type')}, ${count(pages, 'page')}. ${visible(meanwhileText(meanwhile))}`,
  ]
}

function typeLines(type: string, { unused, skipped }: TypeReading): string[] {
  return [
    ...(skipped ? [`Skipped ${type}: ${skipped.message} (${skipped.code}) ${skipped.url}`.trimEnd()] : []),
    ...(unused ? [`Not understood in ${type}, and not kept: ${unused.join(', ')}`] : []),
  ].map(visible)
}

function meanwhileText({ changed, by }: Meanwhile): string {
  if (changed === null) return 'The world tells too little to know if it changed meanwhile.'
  return changed
    ? `The world changed meanwhile: ${by.join(', ')}.`
    : 'The world reported no change meanwhile.'
}
