/**
 * The command line reference, made from the help of every command: `docs/reference/command-line.md` is its output.
 * Run it and redirect there after changing a command.
 */
import { pathToFileURL } from 'node:url'
import { runWith } from '../../packages/cli/src/memory-io.fixture.ts'

const HEAD = `# Command line

\`npx worldwright COMMAND\`; the bin is called \`world\`. Data goes to stdout, everything else to stderr. \`--json\` prints JSON, of
several things one a line. Exit code 0: done; 1: the call failed, or records were rejected; 2: wrong usage. Colour only on a
terminal, and never with \`NO_COLOR\`. Settings have the same names everywhere: see [settings](settings.md).
`

/** The whole page. */
export async function commandLineReference(): Promise<string> {
  const pages = await pagesOf([])
  return (
    HEAD + pages.map(([name, help]) => `\n## ${name}\n\n\`\`\`text\n${help.trimEnd()}\n\`\`\`\n`).join('')
  )
}

/** Each command that does something, with its help, in the order of the help above it. */
async function pagesOf(path: readonly string[]): Promise<(readonly [name: string, help: string])[]> {
  const { out: stdout } = await runWith([...path, '--help'])
  const commands = /\nCommands:\n((?: {2}.*\n)+)/.exec(stdout)?.[1]
  if (commands === undefined) return [[['world', ...path].join(' '), stdout]]
  const names = [...commands.matchAll(/^ {2}([a-z]+)/gm)].map((match) => match[1] ?? '')
  const pages = names.filter((name) => name !== 'help').map((name) => pagesOf([...path, name]))
  return (await Promise.all(pages)).flat()
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  process.stdout.write(await commandLineReference())
