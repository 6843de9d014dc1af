import { Button, Group, Modal } from '@mantine/core'
import { Copy } from './format.tsx'
import { texts } from './texts/texts.ts'
import { useFocusBack } from '../ui/focus-back.ts'

interface Once {
  readonly title: string
  /** What it is for, and that it is not shown again. */
  readonly more: string
  readonly secret: string
  readonly close: () => void
}

/** A secret that is shown now and never again: a click beside it does not close it. */
export function ShownOnce({ title, more, secret, close }: Once) {
  useFocusBack(true)
  return (
    <Modal.Root opened onClose={close} radius={10} closeOnClickOutside={false}>
      <Modal.Overlay />
      <Modal.Content>
        <div className="dialog-head">
          <Modal.Title>{title}</Modal.Title>
        </div>
        <Modal.Body className="stack">
          <p>{more}</p>
          <Copy text={secret} />
          <Group justify="flex-end">
            <Button onClick={close}>{texts.close}</Button>
          </Group>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}
