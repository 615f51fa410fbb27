/** Box for a picture file, chosen or dropped. The world stores it before the entity that names it is saved. */
import { isWorldError } from '@worldwright/client'
import { Operator } from '@worldwright/client/operator'
import { fieldOf, member } from '@worldwright/extensions/shown'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { FormField } from '../form/form-field.ts'
import { Safe } from '../parts/text.tsx'
import { PictureCell } from '../parts/thumb.tsx'
import { useOpenWorld } from '../parts/world-context.ts'
import { roughly } from '../words/words.ts'
import { failureFrom } from '../world/failure.ts'
import type { WorldProfile } from '../world/world-profile.ts'
import { editWords } from './edit-words.ts'

/** Longest side of a stored JPEG, in pixels. */
const MOST_PIXELS = 2_560
/** Quality of a JPEG that is drawn again. */
const QUALITY = 0.85

interface PictureDropProps {
  readonly type: string
  readonly field: FormField
  readonly value: string
  readonly onValue: (value: string) => void
  /** True while the form is saved, which no picture joins any more. */
  readonly isSaving: boolean
  /** Changes the number of fields whose pictures are on their way. */
  readonly onBusy: (change: (count: number) => number) => void
}

/** Box for the pictures of one field, with those that it has. Renders nothing for other fields and other worlds. */
export function PictureDrop(props: PictureDropProps) {
  const limits = limitsOf(useOpenWorld().profile)
  const { format, schema } = props.field
  const isPicture = [format, fieldOf('', schema['items'], schema).format].includes('picture')
  return isPicture && limits ? <Box {...props} {...limits} /> : null
}

interface Limits {
  readonly mediaTypes: readonly string[]
  readonly maxBytes: number
}

function Box(props: PictureDropProps & Limits) {
  const { field, value, mediaTypes } = props
  const { take, isBusy, message, faults } = useStoring(props)
  const w = editWords()
  useEffect(() => {
    addEventListener('dragover', refuseFile)
    return () => removeEventListener('dragover', refuseFile)
  }, [])
  return (
    <fieldset
      class="picture-drop"
      onDragOver={(event) => isBusy || event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault()
        void take([...(event.dataTransfer?.files ?? [])])
      }}
    >
      {value.split('\n').map((text) => (
        <PictureCell key={text} text={text} field={field}>
          {null}
        </PictureCell>
      ))}
      <input
        type="file"
        aria-label={`${w.picture}: ${field.label}`}
        accept={mediaTypes.join()}
        multiple={field.control === 'words'}
        disabled={isBusy}
        onChange={({ currentTarget }) => {
          void take([...(currentTarget.files ?? [])])
          currentTarget.value = ''
        }}
      />
      <p class="soft hint">{w.pictureHint}</p>
      <p role="status">{message}</p>
      {faults.map(([file, why]) => (
        <p key={file} class="wrong" role="alert">
          <Safe text={file} />: <Safe text={why} />
        </p>
      ))}
    </fieldset>
  )
}

/** Refuses a file over the rest of the page, since the browser would open it in place of the form. */
function refuseFile(event: DragEvent) {
  const { dataTransfer, defaultPrevented } = event
  if (defaultPrevented || !dataTransfer?.types.includes('Files')) return
  event.preventDefault()
  dataTransfer.dropEffect = 'none'
}

/** Stores the files that it takes, and writes their paths into the field: the last one, or all if it is a list. */
function useStoring(props: PictureDropProps & Limits) {
  const { type, field, mediaTypes, maxBytes } = props
  const { world } = useOpenWorld()
  const [said, setSaid] = useState({ isSending: false, message: '', faults: [] as [string, string][] })
  const isBusy = said.isSending || props.isSaving
  // A file takes a while, in which other fields of the form may change.
  const now = useRef(props)
  now.current = props
  const leaving = useMemo(() => new AbortController(), [])
  useEffect(() => () => leaving.abort(), [])
  const isList = field.control === 'words'
  const w = editWords()
  const formats = mediaTypes.map((name) => name.replace('image/', '').toUpperCase())
  const refusal = w.notStored(`${formats.join(', ')}, ≤ ${roughly(maxBytes / 1e6)} MB`)

  async function store(file: File) {
    const picture = await redrawn(file)
    if (picture.size > maxBytes || !mediaTypes.includes(picture.type)) throw new TypeError(refusal)
    const path = await new Operator(world).storePicture(type, picture, { signal: leaving.signal })
    const present = now.current.value.trim()
    now.current.onValue(isList && present !== '' ? `${present}\n${path}` : path)
  }

  async function take(files: readonly File[]) {
    if (files.length === 0 || isBusy) return
    const names = files.map(({ name }) => name).join(', ')
    if (files.length > 1 && !isList) return setSaid({ ...said, message: '', faults: [[names, refusal]] })
    setSaid({ isSending: true, message: w.storing, faults: [] })
    now.current.onBusy((count) => count + 1)
    const faults: typeof said.faults = []
    for (const file of files)
      await store(file).catch((error) => {
        const isUnfit = !isWorldError(error) || error.status === 415
        faults.push([file.name, isUnfit ? refusal : failureFrom(error).message])
      })
    now.current.onBusy((count) => count - 1)
    setSaid({ isSending: false, message: faults.length < files.length ? w.stored : '', faults })
  }

  return { ...said, isBusy, take }
}

/** Returns the formats and the size that a world accepts, or undefined if it declares that it stores none. */
function limitsOf({ extensions }: WorldProfile): Limits | undefined {
  const declared = extensions.find(([name]) => name === 'worldwright:operator')?.[1]
  const [types, maxBytes] = ['mediaTypes', 'maxBytes'].map((name) =>
    member(member(declared, 'pictures'), name),
  )
  if (!Array.isArray(types) || typeof maxBytes !== 'number') return undefined
  return { mediaTypes: types.filter((one) => typeof one === 'string'), maxBytes }
}

/**
 * Draws a JPEG again, at most `MOST_PIXELS` large and without what the camera noted in it, such as the place. Other files stay
 * as they are. Rejects if a JPEG cannot be read.
 */
async function redrawn(file: File): Promise<Blob> {
  const [first, second] = new Uint8Array(await file.slice(0, 2).arrayBuffer())
  if (first !== 0xff || second !== 0xd8) return file
  const bitmap = await createImageBitmap(file)
  const scale = Math.min(1, MOST_PIXELS / Math.max(bitmap.width, bitmap.height))
  const canvas = new OffscreenCanvas(Math.ceil(bitmap.width * scale), Math.ceil(bitmap.height * scale))
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
  bitmap.close()
  return canvas.convertToBlob({ type: 'image/jpeg', quality: QUALITY })
}
