import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { LicenseSite } from '../../../../src/licensing/activation/sites-schema.ts'
import { Dialog, Refusal, useDoing } from '../../../ui/doing.tsx'
import { Part } from '../../Part.tsx'
import { texts } from '../../texts/texts.ts'

const COLUMNS = [
  { label: texts.address, show: ({ pattern }: LicenseSite) => pattern },
  { label: texts.rule, show: ({ kind }: LicenseSite) => texts[kind] },
]

/** The addresses that a license is kept to, or kept off. */
export function SiteLists({ own }: { readonly own: string }) {
  const [isAdding, setAdding] = useState(false)
  const removing = useDoing<unknown>(() => undefined)
  return (
    <div className="stack">
      <Refusal problem={removing.problem} />
      <Part<LicenseSite>
        title={texts.siteLists}
        path={`${own}/sites.json`}
        items="sites"
        isWhole
        columns={COLUMNS}
        actions={({ id, pattern }) => (
          <Button
            variant="default"
            size="compact-sm"
            aria-label={`${texts.remove}: ${pattern}`}
            onClick={() => removing.send({ method: 'DELETE', path: `${own}/sites/${id}.json` })}
          >
            {texts.remove}
          </Button>
        )}
        empty={texts.noSiteLists}
      />
      <Button className="at-start" variant="default" size="compact-sm" onClick={() => setAdding(true)}>
        {texts.addAddress}
      </Button>
      {isAdding ? <AddSite own={own} close={() => setAdding(false)} /> : null}
    </div>
  )
}

function AddSite({ own, close }: { readonly own: string; readonly close: () => void }) {
  const doing = useDoing<unknown>(close)
  return (
    <Dialog
      title={texts.addAddress}
      isOpen
      close={close}
      act={texts.addAddress}
      doing={doing}
      fields={['pattern']}
      submit={(form) =>
        doing.send({
          method: 'POST',
          path: `${own}/sites.json`,
          body: { kind: form.get('kind'), pattern: String(form.get('pattern')).trim() },
        })
      }
    >
      <TextInput
        name="pattern"
        label={texts.address}
        description={texts.addressHelp}
        error={doing.faultOf('pattern')}
      />
      <NativeSelect
        name="kind"
        label={texts.rule}
        data={[
          { value: 'allow', label: texts.allow },
          { value: 'deny', label: texts.deny },
        ]}
      />
    </Dialog>
  )
}
