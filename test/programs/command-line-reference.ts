/**
 * Generates the command line reference from the help of every command: `docs/reference/command-line.md` is its output.
 * Run it and redirect its output there after changing a command.
 */
import { pathToFileURL } from 'node:url'
import { runWith } from '../../packages/cli/src/memory-io.fixture.ts'

const HEAD = `# Command line

\`npx worldwright COMMAND\`; the bin is called \`world\`. Data goes to stdout, everything else to stderr. \`--json\` prints JSON, of
several things one per line. Colour only on a terminal, and never with \`NO_COLOR\`. Settings have the same names everywhere: see
[settings](settings.md).

| exit code | means |
|---|---|
| 0 | Done. For \`serve\`: a signal ended it, and everything was closed in order. |
| 1 | It failed: a world or a file has a fault, another process holds the store, or a signal came first. The last lines of stderr say which. For \`import\` also: records were rejected, and all others loaded; for \`import --dry-run\`: records would be rejected. For \`verify\`, \`check\` and \`types --check\`: a problem was found. |
| 2 | Wrong usage: an invalid command, argument or setting. Nothing was done. |
`

/** Returns the whole page, generated from the help of every command. */
export async function commandLineReference(): Promise<string> {
  const pages = await pagesOf([])
  return (
    HEAD + pages.map(([name, help]) => `\n## ${name}\n\n\`\`\`text\n${help.trimEnd()}\n\`\`\`\n`).join('')
  )
}

/** Returns each leaf command with its help, in the order of its parent's help. */
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
