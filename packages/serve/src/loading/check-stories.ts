/** Checks the views and entities of stories against the loaded data. */
import { World } from '@worldwright/core'
import type { Store } from '@worldwright/core/store'
import { blockFaults } from '@worldwright/extensions/pages'
import type { Story } from '@worldwright/extensions/stories'
import { storyFile } from '@worldwright/publish'
import { effectiveTypes } from '@worldwright/publish/types'
import type { Workspace } from '../open/workspace.ts'
import type { Io } from '../terminal/io.ts'
import { say } from '../terminal/output.ts'
import { visible } from '../terminal/visible.ts'

/**
 * Prints a line for each view that cannot be read, each unknown type and each missing entity, which the pages say as well.
 * Returns the number of errors. None keeps a world from being served, since any change of the data may cause or mend one.
 */
export async function checkStories(
  stories: readonly Story[] = [],
  { definition, folder }: Pick<Workspace, 'definition' | 'folder'>,
  store: Store,
  io: Io,
): Promise<number> {
  const world = new World({ id: '', types: () => effectiveTypes(definition, store) }, store)
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
