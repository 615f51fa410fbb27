/** Prints the startup message of `world serve`, with the world's contents and addresses. */

import type { Store } from '@worldwright/core/store'
import { hasTokens } from '@worldwright/extensions/operator'
import { effectiveTypes } from '@worldwright/publish/types'
import { limitLines } from '../limits/limits-for.ts'
import type { Settings } from '../open/settings.ts'
import type { Workspace } from '../open/workspace.ts'
import type { Io } from '../terminal/io.ts'
import { pairLines, say, styled } from '../terminal/output.ts'
import { visible } from '../terminal/visible.ts'

/** Addresses shown in the startup message. */
export interface Addresses {
  readonly world: string
  /** Origin of the admin server; undefined if there is none. */
  readonly admin: string | undefined
  /** True if the world's origin serves the explorer. */
  readonly hasPage: boolean
}

/** Prints name, types, counts and addresses on stderr. The last line begins with `Read it:`. */
export async function greet(
  { definition }: Pick<Workspace, 'definition'>,
  store: Store,
  settings: Settings,
  { world, admin, hasPage }: Addresses,
  io: Io,
): Promise<void> {
  const counts = await store.types()
  say(io, styled(io.stderr, 'bold', visible(definition.name ?? 'A world without a name')))
  const rows = (await effectiveTypes(definition, store)).map(
    ({ type }) => [type, (counts.get(type)?.count ?? 0).toLocaleString('en')] as const,
  )
  for (const line of pairLines(io.stderr, rows)) say(io, `  ${line}`)
  if ((settings.operator || settings.private) && !(await hasTokens(store)))
    say(io, 'No token exists yet. Create one: npx worldwright token create')
  say(io, `Serving at ${styled(io.stderr, 'cyan', world)} until Ctrl-C.`)
  for (const line of limitLines(settings)) say(io, line)
  if (admin !== undefined) {
    say(io, `Health:    ${admin}/ready`)
    say(io, `Metrics:   ${admin}/metrics`)
  }
  if (hasPage) say(io, `Look at it: open ${world}/ in a browser`)
  say(io, `Read it:   npx worldwright show ${world}`)
  io.onServing?.(world)
}
