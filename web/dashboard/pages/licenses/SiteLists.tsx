import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { LicenseSite } from '../../../../src/licensing/activation/sites-schema.ts'
import { fill } from '../../../shared/language.ts'
import { Allowed } from '../../Allowed.tsx'
import { Refusal, useDoing } from '../../../ui/doing.tsx'
import { Dialog } from '../../Dialog.tsx'
import { Part } from '../../lists/Part.tsx'
import type { Column } from '../../../ui/Rows.tsx'
import { texts } from '../../texts/texts.ts'
import { useWithUndo } from '../../with-undo.ts'

const COLUMNS: readonly Column<LicenseSite>[] = [
  { label: texts.siteAddress, show: ({ pattern }) => pattern },
  { label: texts.rule, show: ({ kind }) => texts.siteKinds[kind] },
]

/** Where a license may be used, may not, or takes no place. */
export function SiteLists({ own }: { readonly own: string }) {
  const [isAdding, setAdding] = useState(false)
  const { problem, act: takeOff } = useWithUndo<LicenseSite>({
    sent: ({ id }) => ({ method: 'DELETE', path: `${own}/sites/${id}.json` }),
    said: ({ pattern }) => fill(texts.siteRemoved, { site: pattern }),
    back: ({ kind, pattern }) => ({ method: 'POST', path: `${own}/sites.json`, body: { kind, pattern } }),
  })
  return (
    <div className="stack">
      <Refusal problem={problem} />
      <Part<LicenseSite>
        title={texts.siteLists}
        path={`${own}/sites.json`}
        items="sites"
        isWhole
        columns={COLUMNS}
        actions={(site) => (
          <Allowed group="licenses" isQuiet>
            {(barred) => (
              <Button
                {...barred}
                variant="default"
                size="compact-sm"
                aria-label={`${texts.removeSite}: ${site.pattern}`}
                onClick={() => takeOff(site)}
              >
                {texts.removeSite}
              </Button>
            )}
          </Allowed>
        )}
        empty={texts.noSiteLists}
      />
      <Allowed group="licenses" isQuiet>
        {(barred) => (
          <Button
            {...barred}
            className="at-start"
            variant="default"
            size="compact-sm"
            onClick={() => setAdding(true)}
          >
            {texts.addSite}
          </Button>
        )}
      </Allowed>
      {isAdding ? <AddSite own={own} close={() => setAdding(false)} /> : null}
    </div>
  )
}

function AddSite({ own, close }: { readonly own: string; readonly close: () => void }) {
  const doing = useDoing(close)
  const submit = (form: FormData) =>
    doing.send({
      method: 'POST',
      path: `${own}/sites.json`,
      body: { kind: form.get('kind'), pattern: String(form.get('pattern')).trim() },
    })
  return (
    <Dialog
      title={texts.addSite}
      isOpen
      close={close}
      act={texts.addSite}
      doing={doing}
      fields={['pattern', 'kind']}
      submit={submit}
    >
      <TextInput
        name="pattern"
        label={texts.siteAddress}
        description={texts.patternHelp}
        error={doing.faultOf('pattern')}
      />
      <NativeSelect
        name="kind"
        label={texts.rule}
        error={doing.faultOf('kind')}
        data={(['allow', 'deny', 'local'] as const).map((value) => ({
          value,
          label: texts.siteKinds[value],
        }))}
      />
    </Dialog>
  )
}
