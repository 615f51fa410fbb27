/** The examples at the end of the help of a command. They can be copied unchanged. */
export function examples(...commands: string[]): string {
  return `\nExamples:\n${commands.map((command) => `  npx worldwright ${command}`).join('\n')}`
}
