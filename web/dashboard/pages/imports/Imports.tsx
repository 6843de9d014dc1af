import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { Import } from '../../../../src/imports/asked/schema.ts'
import { Allowed } from '../../Allowed.tsx'
import { State, Time, numberText, type Tone } from '../../format.tsx'
import { List } from '../../lists/List.tsx'
import { usePlace } from '../../place.ts'
import { importTexts } from '../../texts/imports.ts'
import { texts } from '../../texts/texts.ts'
import { wayToImport } from '../../ways.ts'
import { ToWholeAccount } from '../exports/ToWholeAccount.tsx'
import { isInHand, nameOfSource, wordOfState } from './words.ts'

const TONES: Readonly<Record<Import['state'], Tone>> = {
  checking: 'warning',
  checked: 'warning',
  running: 'warning',
  finished: 'good',
  undoing: 'warning',
  undone: 'plain',
  canceled: 'plain',
  failed: 'bad',
}

/** What was brought into the account, those of the command line too. */
export function Imports() {
  const { account, accountPath } = usePlace()
  const navigate = useNavigate()
  const params = { account: account.developer_id }
  return (
    <List<Import>
      title={texts.imports}
      about={importTexts.about}
      actions={<ToWholeAccount>{importTexts.moveAway}</ToWholeAccount>}
      create={
        <Allowed group="tokens">
          {(barred) => (
            <Button {...barred} onClick={() => void navigate({ to: '/$account/imports/new', params })}>
              {importTexts.newImport}
            </Button>
          )}
        </Allowed>
      }
      path={`${accountPath}/imports.json`}
      items="imports"
      goesOn={isInHand}
      columns={[
        { label: importTexts.source, show: nameOfSource },
        {
          label: texts.state,
          show: (one) => <State word={wordOfState(one)} tone={TONES[one.state]} />,
        },
        { label: importTexts.added, show: ({ added }) => numberText(added), isNumber: true },
        { label: importTexts.bad, show: ({ bad }) => numberText(bad), isNumber: true },
        { label: importTexts.begun, show: ({ created }) => <Time time={created} /> },
      ]}
      wayTo={({ id }) => wayToImport(account.developer_id, id)}
      making={{ file: 'customers.zip', body: {} }}
      empty={[importTexts.noImports, importTexts.noImportsMore]}
    />
  )
}
