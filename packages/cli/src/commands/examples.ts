/** Formats the examples at the end of a command's help. */
export function examples(...commands: string[]): string {
  return `\nExamples:\n${commands.map((command) => `  npx worldwright ${command}`).join('\n')}`
}
