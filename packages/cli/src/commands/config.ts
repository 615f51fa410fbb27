/** `world config`: the value of each setting, and where it comes from. */
import { resolve } from 'node:path'
import { emptyDefinition, findDefinition, readDefinition } from '@worldwright/server/publish'
import { shownSetting } from '@worldwright/server/settings'
import { type ResolvedSetting, resolveSettings, type SettingFlags } from '../open/settings.ts'
import type { Io } from '../terminal/io.ts'
import { tableLines, writeLine } from '../terminal/output.ts'
import { jsonText } from '../terminal/visible.ts'

/** The flags of `world config`: those of all settings. */
export type ConfigOptions = SettingFlags & { readonly json?: boolean }

/** Prints every setting with its value and where it comes from. Secrets are masked. */
export async function config(path: string | undefined, options: ConfigOptions, io: Io): Promise<number> {
  const file = await findDefinition(resolve(io.cwd, path ?? '.'))
  const definition = file === undefined ? emptyDefinition() : (await readDefinition(file)).definition
  const settings = resolveSettings(definition, options as SettingFlags, io)
  const rows = settings.map((one) => [one.setting.name, shown(one), originText(one, file)] as const)
  if (options.json) {
    for (const [name, value, from] of rows) await writeLine(io.stdout, jsonText({ name, value, from }))
  } else
    for (const line of tableLines(io.stdout, ['SETTING', 'VALUE', 'FROM'], rows))
      await writeLine(io.stdout, line)
  return 0
}

function shown({ setting, value }: ResolvedSetting): string {
  return value === undefined ? setting.fallback : shownSetting(setting, value)
}

function originText({ origin }: ResolvedSetting, file: string | undefined): string {
  return origin === 'definition' ? (file ?? origin) : origin
}
