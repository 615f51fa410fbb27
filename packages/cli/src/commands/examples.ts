/** Formats the examples at the end of a command's help. They can be copied unchanged. */
export function examples(...commands: string[]): string {
  return `\nExamples:\n${commands.map((command) => `  npx worldwright ${command}`).join('\n')}`
}
