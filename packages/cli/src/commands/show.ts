/** `world show`: what a world is and what it offers. */
import type { DiscoveryDocument } from '@worldwright/client'
import { connectTo, type ReadingOptions } from '../open/origin.ts'
import type { Io } from '../terminal/io.ts'
import { pairLines, styled, tableLines, writeLine } from '../terminal/output.ts'
import { jsonText, visible } from '../terminal/visible.ts'

/** Prints the discovery document: as JSON as it was received, or for people. */
export async function show(origin: string, options: ReadingOptions, io: Io): Promise<number> {
  const world = await connectTo(origin, options, io)
  if (options.json) await writeLine(io.stdout, jsonText(world.document, 2))
  else for (const line of documentLines(world.origin, world.document, io)) await writeLine(io.stdout, line)
  return 0
}

function documentLines(origin: string, document: DiscoveryDocument, io: Io): string[] {
  const { world, protocol, endpoints, authentication } = document
  const pairs: [string, string][] = [
    ['id', text(world?.id)],
    ['origin', origin],
    ['api', endpoints.api],
    ['protocol', protocol],
    ['token', authentication?.required === true ? 'required' : ''],
  ]
  return [
    styled(io.stdout, 'bold', visible(text(world?.name) || origin)),
    ...(text(world?.description) ? [visible(text(world?.description))] : []),
    '',
    ...pairLines(
      io.stdout,
      pairs.filter(([, value]) => value !== ''),
    ),
    ...section(io, ['TYPE', 'TITLE', 'DESCRIPTION'], document.entityTypes, ['type', 'title', 'description']),
    ...section(io, ['ACTION', 'TITLE', 'DESCRIPTION'], document.actions, ['name', 'title', 'description']),
  ]
}

/** Nothing in it can be relied on: only two members of a discovery document are stated. */
function section(io: Io, heading: string[], list: unknown, members: string[]): string[] {
  if (!Array.isArray(list) || list.length === 0) return []
  const rows = list.map((item) => members.map((member) => text(item?.[member])))
  return ['', ...tableLines(io.stdout, heading, rows)]
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
