/** Checks the types that a definition names, and the views and entities of stories, against the loaded data. */
import { World } from '@worldwright/core'
import type { Store } from '@worldwright/core/store'
import { blockFaults } from '@worldwright/extensions/pages'
import { noType } from '@worldwright/extensions/query'
import type { Story } from '@worldwright/extensions/stories'
import { problemIn, storyFile } from '@worldwright/publish'
import { effectiveTypes } from '@worldwright/publish/types'
import type { Workspace } from '../open/workspace.ts'
import type { Io } from '../terminal/io.ts'
import { say } from '../terminal/output.ts'
import { visible } from '../terminal/visible.ts'

/**
 * Prints a line for each view that cannot be read, each unknown type and each missing entity, which the pages say as well, and
 * for each unknown type of webhooks and meaning, which may be a typing error or a type that is yet to come, and for files that
 * sources name in a world without a folder for them.
 * Returns the number of errors. None keeps a world from being served, since any change of the data may cause or mend one.
 */
export async function checkLoaded(
  stories: readonly Story[] = [],
  { definition, file = '', folder }: Pick<Workspace, 'definition' | 'file' | 'folder'>,
  store: Store,
  io: Io,
): Promise<number> {
  const known = await effectiveTypes(definition, store)
  const named = [
    { path: ['meaningTypes'], types: definition.meaningTypes ?? [] },
    ...(definition.webhooks ?? []).map(({ types = [] }, at) => ({ path: ['webhooks', at, 'types'], types })),
  ]
  const warn = async (path: (string | number)[], message: string) =>
    say(io, visible(`warning: ${await problemIn(file, path, message)}`), 'warn')
  for (const { path, types } of named)
    for (const [at, type] of types.entries())
      if (!known.some((one) => one.type === type)) await warn([...path, at], noType(type, known))
  if (definition.attachments === undefined)
    for (const [at, { attachments }] of definition.sources.entries())
      if (attachments !== undefined)
        await warn(
          ['sources', at, 'attachments'],
          'the world serves no files, since attachments names no folder',
        )
  const world = new World({ id: '', types: async () => known }, store)
  let errors = 0
  for (const story of stories)
    for await (const { line, message, isWarning } of blockFaults(story, { world, source: store })) {
      const where = `${storyFile(folder, story.name)}:${line}`
      say(
        io,
        visible(`${isWarning ? 'warning' : 'error'}: ${where}: ${message}`),
        isWarning ? 'warn' : 'error',
      )
      if (!isWarning) errors += 1
    }
  return errors
}
