/** Runs the command of the kit in this process. */
import { check } from '../src/command.ts'

/** Runs the command. Returns its exit code and what it wrote. */
export async function run(...argv: string[]) {
  const output = { stdout: '', stderr: '' }
  const writer = (name: 'stdout' | 'stderr') => ({
    write: (text: string) => {
      output[name] += text
    },
  })
  const code = await check(argv, { stdout: writer('stdout'), stderr: writer('stderr') })
  return { code, ...output }
}
