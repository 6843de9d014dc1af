import { Checkbox, Modal } from '@mantine/core'
import { Fragment, useState } from 'react'
import { texts } from '../texts/texts.ts'
import { SHORTCUTS, switchedOff, switchShortcut, type Keys } from './shortcuts.ts'
import { words } from './keyboard-words.ts'
import { useFocusBack } from '../../ui/focus-back.ts'

/** What keys do, each with the way to switch it off in this browser. */
export function Shortcuts({ close }: { readonly close: () => void }) {
  useFocusBack(true)
  const [off, setOff] = useState(switchedOff)
  return (
    <Modal.Root opened onClose={close} radius={10}>
      <Modal.Overlay />
      <Modal.Content>
        <div className="dialog-head">
          <Modal.Title>{texts.keyboard}</Modal.Title>
          <Modal.CloseButton aria-label={texts.close} />
        </div>
        <Modal.Body>
          <div className="stack">
            <p className="muted">{words.more}</p>
            <div className="panel facts">
              <dl>
                {(Object.keys(SHORTCUTS) as Keys[]).map((keys) => (
                  <div key={keys}>
                    <dt>
                      {keys.split(' ').map((key) => (
                        <Fragment key={key}>
                          <kbd>{key}</kbd>{' '}
                        </Fragment>
                      ))}
                    </dt>
                    <dd>
                      <Checkbox
                        label={words.acts[SHORTCUTS[keys]]}
                        checked={!off.has(keys)}
                        onChange={({ currentTarget }) => {
                          switchShortcut(keys, currentTarget.checked)
                          setOff(switchedOff())
                        }}
                      />
                    </dd>
                  </div>
                ))}
                <div>
                  <dt>
                    <kbd>{texts.searchKey}</kbd>
                  </dt>
                  <dd>{words.search}</dd>
                </div>
              </dl>
            </div>
          </div>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}
