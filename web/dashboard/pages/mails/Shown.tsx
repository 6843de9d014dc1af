import { useMemo } from 'react'
import { styleNonce } from '../../../ui/nonce.ts'
import { mailTexts as words } from '../../texts/of-mails.ts'

interface Content {
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** A mail as its reader sees it: nothing in it runs, leads anywhere, or is loaded from elsewhere. */
export function Shown({ content, label }: { readonly content: Content; readonly label: string }) {
  const page = useMemo(() => pageOf(content.html), [content.html])
  return (
    <section className="panel card stack" aria-label={label}>
      <h2>{label}</h2>
      <div>
        <p className="muted">{words.subject}</p>
        <p>
          <strong>{content.subject}</strong>
        </p>
      </div>
      <iframe className="mail" sandbox="" srcDoc={page} title={content.subject} />
      <details>
        <summary>{words.asText}</summary>
        <pre>
          <code>{content.text}</code>
        </pre>
      </details>
    </section>
  )
}

/**
 * The HTML of a mail as the policy of the page lets it be: its styles in a sheet with the number of the page, pictures
 * of this server alone, and links that lead nowhere.
 */
function pageOf(html: string): string {
  const styles: string[] = []
  const plain = html
    .replaceAll(/ style="([^"]*)"/g, (_, style: string) => ` class="s${styles.push(style)}"`)
    .replaceAll(/ href="[^"]*"/g, '')
    .replaceAll(/<img src="([^"]*)" alt="([^"]*)"[^>]*>/g, (img: string, src: string, alt: string) =>
      src.startsWith(`${location.origin}/`) ? img : alt,
    )
  const sheet = styles.map((style, at) => `.s${at + 1}{${style.replaceAll(/[<>]/g, '')}}`).join('')
  return plain.replace('</head>', `<style nonce="${styleNonce}">body{background:#fff}${sheet}</style></head>`)
}
