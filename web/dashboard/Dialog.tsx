import { useState, type ComponentProps } from 'react'
import { Dialog as Plain } from '../ui/doing.tsx'
import { useTyped } from './typed.ts'
import { Leave, Unsaved } from './Unsaved.tsx'

interface Left {
  readonly close: () => void
  /** Tells whether what was typed is saved; absent: it is not. */
  readonly isSaved?: (() => boolean) | undefined
}

/** Asks who leaves a form, by its button or by another address, whether what was typed shall be lost. */
export function useLeaving({ close, isSaved }: Left) {
  const { noting, isTyped, forget } = useTyped()
  const [isAsking, setAsking] = useState(false)
  const isChanged = () => isSaved?.() !== true && isTyped()
  const leave = () => {
    forget()
    setAsking(false)
    close()
  }
  return {
    /** What the form is given. */
    noting,
    close: () => (isChanged() ? setAsking(true) : leave()),
    /** Stands beside the form, as what it submits would be submitted there too. */
    asking: (
      <>
        {isAsking ? <Leave stay={() => setAsking(false)} leave={leave} /> : null}
        <Unsaved isChanged={isChanged} />
      </>
    ),
  }
}

/** A form above the page, as that of `ui`; who leaves it with something typed that is not saved is asked. */
export function Dialog(form: ComponentProps<typeof Plain>) {
  const { noting, close, asking } = useLeaving({ close: form.close, isSaved: form.doing.isDone })
  return (
    <>
      <Plain {...form} noting={noting} close={close} />
      {asking}
    </>
  )
}
