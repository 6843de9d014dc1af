import { useMemo, type SyntheticEvent } from 'react'

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

const isField = (target: EventTarget): target is Field =>
  target instanceof HTMLInputElement ||
  target instanceof HTMLTextAreaElement ||
  target instanceof HTMLSelectElement

/** Proves who somebody is, and is typed again in a moment. */
const isProof = (field: Field): boolean =>
  field instanceof HTMLInputElement && (field.type === 'password' || field.autocomplete === 'one-time-code')

const valueOf = (field: Field): string | boolean =>
  field instanceof HTMLInputElement && /^(checkbox|radio)$/.test(field.type) ? field.checked : field.value

/** What a field had when it got the focus, and whether its person has changed it since. */
interface Was {
  readonly value: string | boolean | undefined
  isByPerson: boolean
}

/** Notes what is typed into a form, and tells whether something of it would be lost with the form. */
export function useTyped() {
  return useMemo(() => {
    const all = new Map<Field, Was>()
    const note = (target: EventTarget, value: Was['value']) => {
      if (isField(target) && !isProof(target) && !all.has(target))
        all.set(target, { value, isByPerson: false })
    }
    return {
      /** What the form is given. */
      noting: {
        onFocus: ({ target }: SyntheticEvent) => {
          if (isField(target)) note(target, valueOf(target))
        },
        onChange: ({ target }: SyntheticEvent) => {
          note(target, undefined)
          const was = isField(target) ? all.get(target) : undefined
          if (was) was.isByPerson = true
        },
      },
      /** Tells whether a field is not as it was. */
      isTyped: () =>
        [...all].some(
          ([field, { value, isByPerson }]) => isByPerson && field.isConnected && valueOf(field) !== value,
        ),
      forget: () => all.clear(),
    }
  }, [])
}
