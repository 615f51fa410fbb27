/** `world show`: describes a world, its entity types and its actions. */
import { descriptionFrom, type Found } from '@worldwright/client/foreign'
import { isObject } from '@worldwright/client/protocol'
import { connectTo, type ReadingOptions } from '@worldwright/serve/open'
import type { Io } from '@worldwright/serve/terminal'
import {
  NOT_RECOGNISED,
  pairLines,
  say,
  styled,
  tableLines,
  visible,
  writeLine,
} from '@worldwright/serve/terminal'
import { receivedText } from '../terminal/entity-text.ts'

/** Prints the discovery document as text, or as the JSON that was received if `json` is set. */
export async function show(origin: string, options: ReadingOptions, io: Io): Promise<number> {
  const world = await connectTo(origin, options, io)
  const { document } = world
  if (options.json) {
    await writeLine(io.stdout, receivedText(document))
    return 0
  }
  const { id, name, entityTypes, actions } = descriptionFrom(document, options.names)
  const about: unknown = document.world
  const pairs = [
    ['id', id?.value ?? NOT_RECOGNISED],
    ['origin', world.origin],
    ['api', document.endpoints.api],
    ['protocol', document.protocol],
    ['token', document.authentication?.required === true ? 'required' : ''],
  ] as const
  const description = isObject(about) ? text(about['description']) : ''
  const lines = [
    styled(io.stdout, 'bold', visible(name?.value ?? world.origin)),
    ...(description ? [visible(description)] : []),
    '',
    ...pairLines(
      io.stdout,
      pairs.filter(([, value]) => value !== ''),
    ),
    ...section(io, ['TYPE', 'TITLE', 'DESCRIPTION'], entityTypes, 'type'),
    ...section(io, ['ACTION', 'TITLE', 'DESCRIPTION'], actions, 'name'),
  ]
  for (const line of lines) await writeLine(io.stdout, line)
  if (!id || !entityTypes || !actions)
    say(
      io,
      `What is ${NOT_RECOGNISED} may be there under other names: see --json, and give them with --names`,
    )
  return 0
}

/** Formats one list of a discovery document, with a placeholder if the list was not recognised. */
function section(io: Io, heading: string[], list: Found<object[]> | undefined, key: string): string[] {
  const items = list?.value ?? [{ [key]: NOT_RECOGNISED }]
  if (items.length === 0) return []
  const rows = items.map((item) => [key, 'title', 'description'].map((member) => text(Object(item)[member])))
  return ['', ...tableLines(io.stdout, heading, rows)]
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
