/** The reference client as a command: `main.ts --break=NAME show ORIGIN --json`. */
import { referenceClient } from './client.ts'

const [flag = '', ...args] = process.argv.slice(2)
const env = Object.fromEntries(Object.entries(process.env).map(([name, value]) => [name, value ?? '']))
const { exitCode, stdout, stderr } = await referenceClient(flag.replace('--break=', ''))(args, {
  env,
  signal: new AbortController().signal,
})
process.stdout.write(stdout)
process.stderr.write(stderr)
process.exitCode = exitCode
