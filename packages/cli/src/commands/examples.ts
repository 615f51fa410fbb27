/** Examples under the help of a command: they can be copied as they stand. */
export function examples(...commands: string[]): string {
  return `\nExamples:\n${commands.map((command) => `  npx worldwright ${command}`).join('\n')}`
}
