import { descriptionFrom, type Found, guessesOf, profileOf, prove } from '@worldwright/client/foreign'
import { isObject } from '@worldwright/client/protocol'
import { connectTo, type ReadingOptions } from '@worldwright/serve/open'
import type { Io } from '@worldwright/serve/terminal'
import {
  jsonText,
  NOT_RECOGNISED,
  pairLines,
  say,
  styled,
  tableLines,
  visible,
  writeLine,
} from '@worldwright/serve/terminal'

/** Command-line flags of `world show`. */
export interface ShowOptions extends ReadingOptions {
  readonly profile?: boolean
}

/**
 * Prints the discovery document as text, or as the JSON that was received if `json` is set; or the reading profile if
 * `profile` is set, after reading enough of the world to prove its names.
 */
export async function show(origin: string, options: ShowOptions, io: Io): Promise<number> {
  const world = await connectTo(origin, options, io)
  const { document } = world
  const names = profileOf(world)?.names
  const { id, name, entityTypes, actions, unread = [] } = descriptionFrom(document, names)
  if (options.profile) {
    await prove(world, { signal: io.signal })
    // If the world cannot be searched, its profile lacks the names of search results.
    await world.discover({ limit: 1 }, { signal: io.signal }).catch(() => io.signal.throwIfAborted())
  }
  if (options.json || options.profile) {
    await writeLine(io.stdout, jsonText(options.profile ? profileOf(world) : document, 2))
    return 0
  }
  const about: unknown = document.world
  const pairs = [
    ['id', id?.value ?? NOT_RECOGNISED],
    ['origin', world.origin],
    ['api', document.endpoints.api],
    ['protocol', document.protocol],
    ['token', document.authentication?.required === true ? 'required' : ''],
    ['guessed', guessesOf(world).join(', ')],
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
    ...unread.map((entry) => visible(`${NOT_RECOGNISED}: ${jsonText(entry)}`)),
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
