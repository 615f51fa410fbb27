import { resolve } from 'node:path'
import { emptyDefinition, findDefinition, readDefinition } from '@worldwright/publish'
import { type SettingFlags, shownSettings } from '@worldwright/serve/open'
import { type Io, jsonText, tableLines, writeLine } from '@worldwright/serve/terminal'

/** Command-line flags of `world config`, including one for every setting. */
export type ConfigOptions = SettingFlags & { readonly json?: boolean }

/** Prints each setting, its value, and where the value comes from. Secrets are masked. */
export async function config(path: string | undefined, options: ConfigOptions, io: Io): Promise<number> {
  const file = await findDefinition(resolve(io.cwd, path ?? '.'))
  const definition = file === undefined ? emptyDefinition() : (await readDefinition(file)).definition
  const settings = shownSettings(definition, options as SettingFlags, io, file)
  if (options.json) {
    for (const setting of settings) await writeLine(io.stdout, jsonText(setting))
    return 0
  }
  const rows = settings.map(({ name, value, from }) => [name, value, from])
  for (const line of tableLines(io.stdout, ['SETTING', 'VALUE', 'FROM'], rows))
    await writeLine(io.stdout, line)
  return 0
}
