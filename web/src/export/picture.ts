// The chart as a file of its own.

const kName = 'http://www.w3.org/2000/svg';

/// A document with a background and its size; what only serves the page is left out.
export function svg_text(chart: SVGSVGElement, background: string): string {
  const copy = chart.cloneNode(true) as SVGSVGElement;
  copy.querySelectorAll('[data-page-only]').forEach((part) => part.remove());
  for (const part of [copy, ...copy.querySelectorAll('*')]) {
    for (const attribute of ['class', 'tabindex', 'role', 'aria-label', 'aria-pressed', 'aria-hidden']) {
      part.removeAttribute(attribute);
    }
  }
  const box = chart.viewBox.baseVal;
  copy.setAttribute('xmlns', kName);
  copy.setAttribute('width', String(box.width));
  copy.setAttribute('height', String(box.height));
  const sheet = document.createElementNS(kName, 'rect');
  sheet.setAttribute('width', String(box.width));
  sheet.setAttribute('height', String(box.height));
  sheet.setAttribute('fill', background);
  copy.prepend(sheet);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(copy)}\n`;
}

/// Twice the size of the page's pixels, for print and slides.
export function png_of(svg: string, width: number, height: number): Promise<Blob> {
  const scale = 2;
  return new Promise((resolve, reject) => {
    const image = new Image();
    image.onload = () => {
      const canvas = document.createElement('canvas');
      canvas.width = width * scale;
      canvas.height = height * scale;
      canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
      canvas.toBlob((blob) => (blob === null ? reject(new Error('no PNG')) : resolve(blob)), 'image/png');
    };
    image.onerror = () => reject(new Error('the chart could not be drawn'));
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  });
}

export function save(name: string, content: Blob | string, type = 'text/plain'): void {
  const blob = typeof content === 'string' ? new Blob([content], { type }) : content;
  const address = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
