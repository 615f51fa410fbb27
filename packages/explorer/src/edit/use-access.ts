/** Tells the tools if the token may write, and where the focus goes when a form closes. */
import { useEffect, useRef } from 'preact/hooks'
import { useOpenWorld } from '../parts/world-context.ts'
import { typeIn } from '../world/world-profile.ts'
import { accessTo } from './writes.ts'

/**
 * Returns whether the token may write a type, which is false until the world has answered, the schema of the type, and whether
 * the world refuses the token.
 */
export function useAccess(type: string): { mayWrite: boolean; schema: unknown; isRefused: boolean } {
  const { world, profile } = useOpenWorld()
  const told = accessTo(world).value
  const own = told?.find((one) => one.type === type)
  const mayWrite = !!told && own?.writable !== false && 'rawJSON' in JSON
  // A private world may tell its schemas only to those with a token.
  return { mayWrite, isRefused: told === null, schema: own?.schema ?? typeIn(profile, type).schema }
}

/** Returns the place for a button that opens a form. It gets the focus when the form closes. */
export function useReturn(isOpen: boolean) {
  const button = useRef<HTMLButtonElement>(null)
  const wasOpen = useRef(isOpen)
  useEffect(() => {
    if (wasOpen.current && !isOpen) button.current?.focus()
    wasOpen.current = isOpen
  }, [isOpen])
  return button
}
