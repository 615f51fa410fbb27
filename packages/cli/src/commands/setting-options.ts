/** Generates the command-line flags of settings from `SETTINGS`. */
import { environmentName, flagName, SETTINGS, type Setting } from '@worldwright/publish/settings'
import { Option } from 'commander'
import type { WorldCommand } from './world-command.ts'

/** Adds the flags of the named settings to a command, in the order of `SETTINGS`. */
export function addSettings(command: WorldCommand, names: readonly string[]): WorldCommand {
  for (const setting of SETTINGS.filter(({ name }) => names.includes(name))) addSetting(command, setting)
  return command
}

/** Adds the flags of all settings that a definition can contain. */
export function addAllSettings(command: WorldCommand): WorldCommand {
  return addSettings(
    command,
    SETTINGS.filter(({ notInFile }) => !notInFile).map(({ name }) => name),
  )
}

function addSetting(command: WorldCommand, setting: Setting): void {
  const { name, kind, description, fallback, choices } = setting
  const flag = flagName(name)
  const about = `${description} (default: ${fallback}; ${environmentName(name)})`
  if (kind !== 'truth') {
    const option = new Option(`${flag} <${VALUE[kind]}>`, about)
    command.addOption(choices === undefined ? option : option.choices(choices))
    return
  }
  // Add `--NAME` and `--no-NAME`, so that a flag can override the environment and the definition in either direction.
  command.option(flag, about)
  command.option(flag.replace('--', '--no-'), `the opposite of ${flag}`)
}

const VALUE = { text: 'text', port: 'number', count: 'number', choice: 'choice', list: 'list' } as const
