import { readStories } from '@worldwright/publish'
import { checkLoaded, type ImportFlags, load } from '@worldwright/serve/loading'
import { type SettingFlags, settingsFrom, withOwnStore, workspaceToFill } from '@worldwright/serve/open'
import { FAILED, type Io, jsonText, say, UsageFault, writeLine } from '@worldwright/serve/terminal'

/** Flags that apply only to files. For sources, the definition specifies these values. */
const OF_FILES = ['type', 'format', 'replace', 'dryRun', 'to', 'rejects'] as const

/**
 * Loads the sources of the current folder's definition into the store, as `world serve` does when it starts. Returns exit
 * code 1 if a record was rejected, or if a story has a faulty view.
 * @throws UsageFault if there is no definition with sources, or if a given flag applies only to files
 */
export async function importSources(flags: ImportFlags, io: Io): Promise<number> {
  const other = OF_FILES.find((name) => flags[name] !== undefined)
  if (other !== undefined) {
    const flag = other === 'dryRun' ? 'dry-run' : other
    throw new UsageFault(`--${flag} is for files: name those to import.`)
  }
  const workspace = await workspaceToFill(flags.store, io)
  const { definition, file, folder, store: url } = workspace
  if (file === undefined)
    throw new UsageFault(
      'There is no world.yaml here whose sources could be loaded: name the files to import.',
    )
  if (definition.sources.length === 0)
    throw new UsageFault('The definition here names no sources: name the files to import.')
  const settings = settingsFrom(definition, flags as SettingFlags, io)
  const stories = await readStories(folder)
  const { result, errors } = await withOwnStore(url, async (store) => ({
    result: await load(workspace, settings, false, io),
    errors: await checkLoaded(stories, workspace, store, io),
  }))
  if (result === undefined) say(io, 'The sources have not changed since they were loaded.')
  if (flags.json) await writeLine(io.stdout, jsonText(result ?? null))
  return (result?.rejected ?? 0) + errors > 0 ? FAILED : 0
}
