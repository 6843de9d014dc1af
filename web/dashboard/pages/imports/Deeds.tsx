import { Button, Group } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Import } from '../../../../src/imports/asked/schema.ts'
import { fill } from '../../../shared/language.ts'
import { Confirm } from '../../../ui/Confirm.tsx'
import { Refusal, useDoing } from '../../../ui/doing.tsx'
import { Allowed } from '../../Allowed.tsx'
import { numberText } from '../../format.tsx'
import { usePlace } from '../../place.ts'
import { importTexts } from '../../texts/imports.ts'

interface Of {
  readonly found: Import
  readonly path: string
}

type Asked = 'cancel' | 'undo'

/** What can be done with an import as it stands. */
export function Deeds({ found, path }: Of) {
  const again = useNew()
  const [asking, ask] = useState<Asked | null>(null)
  // One with faults is begun again, in whose place it stands until it is canceled.
  const doing = useDoing<Import>(({ state }) => (state === 'canceled' ? again() : undefined))
  const { is_at_work: isAtWork } = found
  const first = firstOf(found)
  return (
    <>
      <Refusal problem={doing.problem} />
      <Allowed group="tokens">
        {(barred) => (
          <Group>
            {first === null ? null : (
              <Button
                {...barred}
                loading={doing.isBusy}
                onClick={() => doing.send({ method: 'POST', path: `${path}/${first}.json` })}
              >
                {first === 'start' ? importTexts.start : importTexts.beginAgain}
              </Button>
            )}
            {isAtWork ? null : (
              <Button {...barred} variant="default" onClick={again}>
                {importTexts.newImport}
              </Button>
            )}
            {askedOf(found).map((name) => (
              <Button {...barred} key={name} variant="default" onClick={() => ask(name)}>
                {importTexts[name]}
              </Button>
            ))}
          </Group>
        )}
      </Allowed>
      {asking === null ? null : (
        <Confirm
          title={importTexts[`${asking}Title`]}
          text={moreOf(asking, found)}
          typed={asking === 'undo' && hitOf(found) > 1 ? (found.file_name ?? found.source) : undefined}
          keep={importTexts.keep}
          sent={{ method: 'POST', path: `${path}/${asking}.json` }}
          close={() => ask(null)}
        />
      )}
    </>
  )
}

/** How many rows undoing looks at: all that came, or what undoing has left. */
const hitOf = ({ state, added, stayed }: Import): number => (state === 'undone' ? stayed : added)

function moreOf(asked: Asked, found: Import): string {
  const isAgain = asked === 'undo' && found.state === 'undone'
  const text = isAgain ? importTexts.undoAgainMore : importTexts[`${asked}More`]
  return fill(text, { count: numberText(hitOf(found)) })
}

/** Opens the page on which another one is begun. */
function useNew() {
  const { account } = usePlace()
  const navigate = useNavigate()
  return () => void navigate({ to: '/$account/imports/new', params: { account: account.developer_id } })
}

/** What one that waits is there for: to be started, or to be begun again without its faults. */
const firstOf = ({ state, is_at_work: isAtWork, bad }: Import): 'start' | 'cancel' | null =>
  state !== 'checked' || !isAtWork ? null : bad === 0 ? 'start' : 'cancel'

/** What is asked about before it is done. */
function askedOf({ state, is_at_work: isAtWork, added, stayed }: Import): readonly Asked[] {
  if (isAtWork) return state === 'undoing' ? [] : ['cancel']
  const mayUndo = state === 'undone' ? stayed > 0 : state === 'running' || state === 'finished' || added > 0
  return mayUndo ? ['undo'] : []
}
