import { eachChild, type Node } from './ast.ts';

/**
 * An enum as one line of JavaScript with the same behaviour (numbers count on, numbers map back to names), followed by as
 * many line ends as the enum had, so that the lines behind it keep their numbers.
 */
export function enumCode(node: Node, text: string): string {
  const members = (node.members ?? node.body?.members ?? []) as Node[];
  const names = members.map((member) => (member.id.name ?? member.id.value) as string);
  const mentioned = new Set<string>();
  for (const member of members) if (member.initializer) collect(member.initializer as Node, mentioned);
  let body = '';
  members.forEach((member, i) => {
    const name = names[i]!;
    const value = member.initializer
      ? `(${text.slice((member.initializer as Node).start, (member.initializer as Node).end).replace(/\s*\n\s*/g, ' ')})`
      : i === 0
        ? '0'
        : '$p+1';
    body += `${mentioned.has(name) ? `const ${name}=` : ''}$s(${JSON.stringify(name)},${value});`;
  });
  const lines = text.slice(node.start, node.end).match(/\r?\n/g) ?? [];
  const enumName = node.id.name as string;
  return `var ${enumName}=(($e,$p,$s)=>{$s=(k,v)=>($p=v,$e[k]=v,typeof v==='number'&&($e[v]=k),v);${body}return $e})({});${lines.join('')}`;
}

function collect(node: Node, names: Set<string>): void {
  if (node.type === 'Identifier') names.add(node.name as string);
  if (node.type === 'MemberExpression') return collect(node.object as Node, names);
  eachChild(node, (child) => collect(child, names));
}
