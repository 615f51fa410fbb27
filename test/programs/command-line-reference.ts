/**
 * Generates the command line reference from the help of every command, and prints it. After changing a command, redirect
 * the output to `docs/reference/command-line.md`.
 */
import { pathToFileURL } from 'node:url'
import { environmentName, flagName, SETTINGS } from '@worldwright/publish/settings'
import { runWith } from '../../packages/cli/src/memory-io.fixture.ts'

const HEAD = `# Command line

\`npx worldwright COMMAND\`; installed, the command is \`worldwright\` or \`world\`. Data goes to stdout, everything else to stderr. \`--json\` prints JSON, of
several things one per line. Color only on a terminal, and never with \`NO_COLOR\`. \`--help\` lists the commands, and after a
command tells what is said here; \`--version\` prints the version.

| exit code | means |
|---|---|
| 0 | Done. For \`serve\`: a signal ended it, and everything was closed in order. |
| 1 | It failed: a world or a file has a fault, another process holds the store, or a signal came first. The last lines of stderr say which. For \`import\` also: records were rejected, and all others loaded; for \`import --dry-run\`: records would be rejected. For \`verify\`, \`check\` and \`types --check\`: a problem was found. For \`migrate --check\`: there is something to do. |
| 2 | Wrong usage: an invalid command, argument or setting. Nothing was done. |
`

const SHARED = `
## Shared arguments and options

Every command takes \`-h, --help\`; one that takes another of these names it after "Shared". [Settings](settings.md) are linked: their
page has the description, the default, the values, and the names in the environment and in \`world.yaml\`. \`--[no-]watch\` stands for
\`--watch\` and its opposite \`--no-watch\`.

`

/** An argument or option that at least this many commands share is described only once. */
const SHARED_BY = 5
/** Terminal width in columns, at which no line is wrapped. */
const UNWRAPPED = 100_000

/** An argument or option with its description. */
interface Item {
  readonly name: string
  readonly about: string
}

/** The parts of the help text of a command. */
interface Help {
  readonly command: string
  readonly usage: readonly string[]
  readonly description: string
  readonly items: readonly Item[]
  /** Options that apply only in certain cases, grouped under titles. */
  readonly special: readonly (readonly [title: string, items: readonly Item[]])[]
  readonly examples: readonly string[]
}

/** Returns the complete page, generated from the help of every command. */
export async function commandLineReference(): Promise<string> {
  const helps = (await commandPages(UNWRAPPED)).map(([command, text]) => helpFrom(command, text))
  const uses = Map.groupBy(
    helps.flatMap(({ items }) => items.filter((item) => settingOf(item) === undefined)),
    line,
  )
  const shared = new Set([...uses].filter(([, { length }]) => length >= SHARED_BY).map(([text]) => text))
  const argumentsFirst = [...shared].toSorted((a, b) => Number(a.includes('`-')) - Number(b.includes('`-')))
  const links = helps.map(({ command }) => `[${command}](#${anchor(`world ${command}`)})`)
  const sections = helps.map((help) => section(help, shared))
  return `${HEAD}\nCommands: ${links.join(', ')}.\n${SHARED}${argumentsFirst.join('')}${sections.join('')}`
}

/** Returns the name (without `world`) and the help text of each command without subcommands, in help order. */
export async function commandPages(
  terminal?: number,
  path: readonly string[] = [],
): Promise<(readonly [command: string, help: string])[]> {
  const { out } = await runWith([...path, '--help'], terminal === undefined ? {} : { terminal })
  const commands = /\nCommands:\n((?: {2}.*\n)+)/.exec(out)?.[1]
  if (commands === undefined) return [[path.join(' '), out]]
  const names = [...commands.matchAll(/^ {2}([a-z]+)/gm)].map((match) => match[1] ?? '')
  const pages = names.filter((name) => name !== 'help').map((name) => commandPages(terminal, [...path, name]))
  return (await Promise.all(pages)).flat()
}

function helpFrom(command: string, text: string): Help {
  const [usage = '', description = '', ...blocks] = text.trimEnd().split('\n\n')
  const titled = blocks.map((block) => [block.split('\n')[0] ?? '', body(block)] as const)
  const lines = (...titles: string[]) =>
    titled.filter(([title]) => titles.includes(title)).flatMap(([, lines]) => lines)
  return {
    command,
    usage: usage.split('\n').map((line) => line.replace(/^(?:Usage:|) +(?:world )?/, 'world ')),
    description,
    items: lines('Arguments:', 'Options:').map(itemFrom),
    special: titled.flatMap(([title, lines]) =>
      title.startsWith('Options for ') ? [[title, lines.map(itemFrom)] as const] : [],
    ),
    examples: lines('Examples:'),
  }
}

/** Returns the lines of a block below its title. Joins a more deeply indented line to the line before. */
function body(block: string): string[] {
  const [, ...lines] = block.replace(/\n {3,}/g, ' ').split('\n')
  return lines.map((line) => line.trim())
}

function itemFrom(line: string): Item {
  const [name = '', about = ''] = line.split(/ {2,}/)
  return { name, about }
}

/** Returns the Markdown section about a command. */
function section(
  { command, usage, description, items, special, examples }: Help,
  shared: ReadonlySet<string>,
): string {
  const settings = items.filter((item) => settingOf(item) !== undefined)
  const others = items.filter((item) => shared.has(line(item)) && !item.name.startsWith('-h'))
  const own = items.filter((item) => !settings.includes(item) && !shared.has(line(item)))
  const synopsis = usage.map((words) => `\`${words}\``).join(' or ')
  const bullets = [
    listed(
      '[Shared](#shared-arguments-and-options)',
      others.map(({ name }) => `\`${name}\``),
    ),
    ...own.map(line),
    listed('[Settings](settings.md)', settings.flatMap(linked)),
  ]
  const lists = [
    bullets.join(''),
    ...special.map(([title, more]) => `${title}\n\n${more.map(line).join('')}`),
  ]
  const list = lists.filter((text) => text !== '').map((text) => `\n${text}`)
  const code = examples.length === 0 ? '' : `\n\`\`\`sh\n${examples.join('\n')}\n\`\`\`\n`
  return `\n## world ${command}\n\n${prose(description)} Usage: ${synopsis}\n${list.join('')}${code}`
}

function listed(title: string, names: readonly string[]): string {
  return names.length === 0 ? '' : `- ${title}: ${names.join(', ')}\n`
}

function line({ name, about }: Item): string {
  return `- \`${name}\`: ${prose(about)}\n`
}

/** Converts help text to Markdown: formats names as code, and escapes `<`. */
function prose(text: string): string {
  return text.replaceAll('<', '\\<').replaceAll(/(?<![\w-])(?:--[a-z-]+(?:=\w+)?|WORLD_[A-Z_]+)/g, '`$&`')
}

/** Returns the name of the setting that an option sets, if the option's help only repeats `settings.md`. */
function settingOf({ name, about }: Item): string | undefined {
  const [flag = ''] = name.split(' ')
  const opposite = about === `the opposite of ${flag.replace('--no-', '--')}`
  return SETTINGS.find((setting) => {
    if (opposite) return setting.kind === 'truth' && flagName(setting.name) === flag.replace('--no-', '--')
    const { description, fallback, choices } = setting
    const said = `${description} (default: ${fallback}; ${environmentName(setting.name)})`
    const allowed = choices && ` (choices: ${choices.map((choice) => `"${choice}"`).join(', ')})`
    return flagName(setting.name) === flag && about === said + (allowed ?? '')
  })?.name
}

/** Returns the link to an option's setting, or none for `--no-` flags, since the link to the setting covers them. */
function linked(item: Item): string[] {
  const setting = SETTINGS.find(({ name }) => name === settingOf(item))
  if (setting === undefined || item.name.startsWith('--no-')) return []
  const flag = flagName(setting.name)
  return [
    `[\`${setting.kind === 'truth' ? flag.replace('--', '--[no-]') : flag}\`](settings.md#${anchor(setting.name)})`,
  ]
}

/** Returns the anchor of a heading on a rendered page. */
function anchor(heading: string): string {
  return heading.toLowerCase().replaceAll(' ', '-')
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  process.stdout.write(await commandLineReference())
