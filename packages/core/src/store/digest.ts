/** SHA-256 digests of text, synchronous on every runtime. */
import { sha256 as portable } from '@noble/hashes/sha2.js'
import { base64urlFrom, utf8Bytes } from './bytes.ts'

interface NodeRuntime {
  readonly process?: {
    getBuiltinModule?(
      name: 'node:crypto',
    ): { hash?(algorithm: 'sha256', text: string, encoding: 'base64url'): string } | undefined
  }
}

let digest: ((text: string) => string) | undefined

/** Returns the SHA-256 digest of `text` as base64url. Uses `node:crypto` if available, which takes an eighth of the time. */
export function sha256(text: string): string {
  digest ??= runtimeDigest() ?? portableSha256
  return digest(text)
}

/** Computes the digest on runtimes without `node:crypto`. */
export function portableSha256(text: string): string {
  return base64urlFrom(portable(utf8Bytes(text)))
}

/** Looks up `node:crypto` at run time, because other runtimes refuse to load a module that imports it. */
function runtimeDigest(): typeof digest {
  const hash = (globalThis as NodeRuntime).process?.getBuiltinModule?.('node:crypto')?.hash
  return hash && ((text) => hash('sha256', text, 'base64url'))
}
