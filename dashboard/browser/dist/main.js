function make(tag,attributes={},...children){let made=document.createElement(tag);for(let[name,value]of Object.entries(attributes))
attribute(made,name,value);return made.append(...children),made}function hit(event,selector){return event.target.closest?.(
selector)??null}function attribute(target,name,value){value==null||value===!1&&!name.startsWith("aria-")?target.hasAttribute(
name)&&target.removeAttribute(name):target.getAttribute(name)!==String(value)&&target.setAttribute(name,String(value))}function write(target,text){
target.textContent!==text&&(target.textContent=text)}function show(target,shown){target.hidden===shown&&(target.hidden=!shown)}
var LOOK_AGAIN_MS=50;function scrollWithin(box,element){let{top,bottom}=element.getBoundingClientRect(),frame=box.getBoundingClientRect();
top<frame.top?box.scrollTop+=top-frame.top:bottom>frame.bottom&&(box.scrollTop+=Math.min(bottom-frame.bottom,top-frame.top))}
function bringIntoSight(selector,{block="nearest",takesFocus=!1}={},tries=40){let element=document.querySelector(selector);
if(!element){tries&&setTimeout(()=>bringIntoSight(selector,{block,takesFocus},tries-1),LOOK_AGAIN_MS);return}element.scrollIntoView(
{block}),(takesFocus?element.querySelector("button, input, textarea, a"):null)?.focus({preventScroll:!0})}function oncePerFrame(draw){
let asked=0,drawn=0;return{now(){return drawn?this.ask():(drawn=requestAnimationFrame(()=>drawn=0),draw())},ask(){asked||=
requestAnimationFrame(()=>{asked=0,draw()})},stop(){cancelAnimationFrame(asked),cancelAnimationFrame(drawn),asked=drawn=
0}}}function contextOf(canvas,how={}){return canvas.getContext("2d",how)}function sizeCanvas(canvas,width,height){(canvas.
width!==width||canvas.height!==height)&&Object.assign(canvas,{width,height})}var SVG="http://www.w3.org/2000/svg";function svgElement(tag,attributes={},text=""){
let made=document.createElementNS(SVG,tag);for(let[name,value]of Object.entries(attributes))made.setAttribute(name,value);
return made.textContent=text,made}var AWAY=14;function placeCard(px2,py,wide,high,width,height){let x=px2+AWAY+wide<=width?
px2+AWAY:px2-AWAY-wide,y=py+AWAY+high<=height?py+AWAY:py-AWAY-high,inside=(at,size,room)=>Math.round(Math.max(4,Math.min(
at,room-size-4)));return{x:inside(x,wide,width),y:inside(y,high,height)}}var WHOLE=new Intl.NumberFormat("en-US",{maximumFractionDigits:0});function count(n){return isNumber(n)?withMinus(WHOLE.
format(n)):"–"}function significant(number){if(!isNumber(number))return"–";let value=Number(number.toPrecision(7)),size=Math.
abs(value);return size>=99.95?count(number):size===0||size>=.09995&&size<=1?withMinus(value.toFixed(3)):withMinus(size<1e-4?
value.toExponential(2):value.toPrecision(3))}function interval(low,high){return isNumber(low)&&isNumber(high)?`${significant(
low)} to ${significant(high)}`:"–"}function countOf(n,one,many=`${one}s`){return`${count(n)} ${n===1?one:many}`}function betaIndex(beta){
return isNumber(beta)?withMinus(String(Number(beta.toPrecision(3)))):"β"}function doiAddress(doi){if(typeof doi!="strin\
g"||!/^10\./.test(doi))return null;try{return`https://doi.org/${encodeURI(doi).replace(/[?#]/g,encodeURIComponent)}`}catch{
return null}}function percentAlong(value){return`${Math.min(1,Math.max(0,value))*100}%`}function isNumber(value){return typeof value==
"number"&&Number.isFinite(value)}function topicTitle({topic,made_up:madeUp}){return madeUp&&!topic.endsWith("(made up)")?
`${topic} (demo data)`:topic}function withMinus(text){return text.replace(/-/g,"−")}function fixedThree(value){return Number.
isFinite(value)?value.toFixed(3).replace("-","−"):"–"}function fBetaName(beta){return`F${betaIndex(beta)}`}function signedCount(n){
return typeof n!="number"||!Number.isFinite(n)?"–":n===0?"±0":n>0?`+${count(n)}`:count(n)}function signedScore(change){
if(typeof change!="number"||!Number.isFinite(change))return"–";let text=Math.abs(change).toFixed(3);return Number(text)===
0?change===0?"±0":"≈0":`${change>0?"+":"−"}${text}`}function changeSince(before,after,signed){return typeof before!=
"number"||typeof after!="number"||before===after?"":signed(after-before)}function effectWords(effect){if(!effect)return null;
let{records_gained:more,records_lost:fewer,core_gained:coreMore,core_lost:coreFewer}=effect;return[more&&`+${countOf(more,
"publication")}`,fewer&&`−${countOf(fewer,"publication")}`,coreMore&&`+${count(coreMore)} core`,coreFewer&&`−${count(
coreFewer)} core`].filter(Boolean).join(", ")||"retrieves the same"}function priceWords({n_added:added,core_gained:core,
reach,semantic_precision:precision,f_beta_change:change}){if(typeof added!="number")return"Effect unknown: it can’t be t\
ested here.";let parts=[`${signedCount(added)} ${added===1?"publication":"publications"}`,reach??`${signedCount(core)} c\
ore`];return typeof precision=="number"&&parts.push(`their precision ${significant(precision)}`),typeof change=="number"&&
parts.push(`F2 ${signedScore(change)}`),parts.join(" · ")}function percentWords(share2){if(typeof share2!="number")return"";
let whole=Math.round(100*share2);return`${share2<1?Math.min(whole,99):whole} %`}function listedTitle(title,retracted){let known=title||
"No title";return retracted&&!/^\W?retracted\b/i.test(known)?`Retracted: ${known}`:known}var COPIED_MS=1600;function button(words2,press,{kind="quiet",...attributes}={}){let made=make("button",{type:"button",class:kind,
...attributes},words2);return made.addEventListener("click",event=>made.getAttribute("aria-disabled")!=="true"&&press(event)),
made}function enable(made,isOn){attribute(made,"aria-disabled",isOn?null:"true")}function copyButton(words2,textOf,attributes={}){
let timer=0,made=button(words2,async()=>{write(made,await copyText(textOf(),made)?"Copied":"Press Ctrl+C"),clearTimeout(
timer),timer=setTimeout(()=>write(made,words2),COPIED_MS)},attributes);return made}var DRAWN_FOR=new WeakMap;function redraw(element,key,build){
if(DRAWN_FOR.get(element)===key)return;DRAWN_FOR.set(element,key);let active=focusIn(element),stay=active&&element.contains(
active)?active.closest("[data-stay]")?.getAttribute("data-stay"):null,{scrollTop}=element;if(element.replaceChildren(...build()),
element.scrollTop=scrollTop,!stay)return;([...element.querySelectorAll("[data-stay]")].find(other=>other.dataset.stay===
stay)??element.closest('[role="tabpanel"]'))?.focus({preventScroll:!0})}function setOptions(list,options){let key=JSON.stringify(
options);DRAWN_FOR.get(list)!==key&&(DRAWN_FOR.set(list,key),list.replaceChildren(...options.map(([value,words2,title])=>make(
"option",{value,title},words2))))}function focusIn(element){return element.getRootNode().activeElement}function nothing(...words2){
return make("p",{class:"nothing"},...words2)}function bar(share2,role=""){let made=make("span",{class:`bar ${role}`,"aria-hidden":"true"});return made.style.setProperty(
"--share",String(Math.max(0,Math.min(1,share2||0)))),made}var Whisker=class{constructor(){this.range=make("span",{class:"\
range"}),this.at=make("span",{class:"at"}),this.element=make("div",{class:"whisker","aria-hidden":"true"},this.range,this.
at)}set(value,ends){let known=typeof value=="number";show(this.at,known),show(this.range,known&&!!ends),known&&(this.at.
style.left=percentAlong(value)),!(!known||!ends)&&(this.range.style.left=percentAlong(ends[0]),this.range.style.right=percentAlong(
1-ends[1]))}};function numberCell(label2,help){let[value,of,change]=["value","of","change"].map(kind=>make("span",{class:kind})),
[term,whisker]=[make("dt",{},label2),new Whisker],data=make("dd",{},make("span",{class:"figures"},value,of,change),whisker.
element);return{element:make("div",{class:"number-cell",title:help},term,data),term,data,value,of,change,whisker,help}}var MessageLine=class{constructor(instead){
this.instead=instead,this.words=make("span",{});let close=button("×",()=>this.say(null),{kind:"close","aria-label":"Clo\
se"});this.element=make("div",{class:"message",role:"alert",hidden:""},this.words,close)}say(message){show(this.element,
!!message),show(this.instead,!message),attribute(this.element,"class",`message ${message?.kind??""}`);let text=message?.
text??"";write(this.words,`${text.slice(0,1).toUpperCase()}${text.slice(1)}`)}};function switchFor(label2,attributes={}){
return make("button",{type:"button",role:"switch",class:"switch","aria-label":label2,...attributes})}function placeButton(words2,span,editor,attributes={}){
let made=button(words2,()=>editor.select(span.start,span.end),{kind:"place",title:"Show in the search string",...attributes});
return markOnHover(made,span,editor),made}function markOnHover(element,span,editor){let mark=()=>editor.mark(span),unmark=()=>editor.
mark(null);element.addEventListener("pointerenter",mark),element.addEventListener("pointerleave",unmark),element.addEventListener(
"focusin",mark),element.addEventListener("focusout",unmark)}var Choice=class{constructor(label2,options,choose){this.buttons=
new Map(options.map(([value,words2,help])=>[value,button(words2,()=>choose(value),{kind:"option","aria-pressed":"false",
title:help})])),this.element=make("div",{class:"choice",role:"group","aria-label":label2},...this.buttons.values())}set(value){
for(let[name,made]of this.buttons)attribute(made,"aria-pressed",String(name===value))}},ICONS={lasso:"M8 3c-3 0-6 1.7-6 \
4s3 4 6 4 6-1.7 6-4-3-4-6-4ZM4.6 10c-1 .6-1.5 1.6-.7 2.4.7.7 1.7.5 1.9 1.6",home:"M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H\
10M6 13.5H2.5V10",reset:"M3 8a5 5 0 1 0 1.6-3.7L3 5.8M3 2.6v3.2h3.2",link:"M7 9l2-2M7 4.6l2-1.5a2.9 2.9 0 0 1 4 4l-1.6 1\
.6M9 11.4l-2 1.5a2.9 2.9 0 0 1-4-4l1.6-1.6"};function toolButton(label2,icon){let drawing=svgElement("svg",{viewBox:"0 0\
 16 16",class:"icon","aria-hidden":"true"});return drawing.append(svgElement("path",{d:ICONS[icon]})),make("button",{type:"\
button",class:"tool",title:label2,"aria-label":label2},drawing)}function copyLinkButton(){let button2=toolButton("Copy t\
he link to this view","link"),status=make("span",{class:"status",role:"status"});return button2.append(status),button2.addEventListener(
"click",async()=>{write(status,await copyText(location.href,button2)?"Copied":"Not copied"),setTimeout(()=>write(status,
""),COPIED_MS)}),button2}async function copyText(text,beside){try{return await navigator.clipboard.writeText(text),!0}catch{
let area=make("textarea",{"aria-hidden":"true",tabindex:"-1"});Object.assign(area.style,{position:"fixed",opacity:"0"}),
area.value=text,document.body.append(area),area.select();let copied=document.execCommand("copy");return area.remove(),beside.
focus(),copied}}var LOG_STEPS=1e3,Slider=class{constructor({name,testid=null,className=""},{input,rest}){this.range=make(
"input",{type:"range","data-testid":testid,"data-setting":name}),this.name=make("span",{class:"slider-name"}),this.output=
make("output",{class:"slider-value"}),this.element=make("label",{class:`slider ${className}`},this.name,this.range,this.
output),this.scale={min:0,max:1,log:!1},this.byKey=!1,this.emitted=NaN,this.range.addEventListener("keydown",()=>this.byKey=
!0);for(let end of["keyup","pointerdown","blur"])this.range.addEventListener(end,()=>this.byKey=!1);this.range.addEventListener(
"input",()=>input(this.read())),this.range.addEventListener("change",()=>rest(this.read(),this.byKey))}describe({label:label2,
help,min=0,max=1,step,scale}){let log=scale==="log"&&min>0;this.scale={min,max,log},write(this.name,label2),attribute(this.
element,"title",help),attribute(this.range,"min",log?0:min),attribute(this.range,"max",log?LOG_STEPS:max),attribute(this.
range,"step",log?1:step??"any")}set(value,text=significant(value),spoken=text){if(value!==this.emitted){let position=String(
this.#positionOf(value));this.range.value!==position&&(this.range.value=position),this.emitted=NaN}write(this.output,text),
attribute(this.range,"aria-valuetext",spoken),this.range.style.setProperty("--along",String(this.along))}get along(){let{
min,max,value}=this.range;return max>min?(Number(value)-Number(min))/(Number(max)-Number(min)):0}read(){let{min,max,log}=this.
scale,at=Number(this.range.value);return this.emitted=log?Number((min*(max/min)**(at/LOG_STEPS)).toPrecision(3)):at,this.
emitted}#positionOf(value){let{min,max,log}=this.scale;if(!log||!Number.isFinite(value))return value??min;let along=Math.
log(Math.max(value,min)/min)/Math.log(max/min);return Math.round(LOG_STEPS*Math.min(along,1))}},Foldout=class{constructor(opener,panel){
this.opener=opener,this.panel=panel,attribute(opener,"aria-expanded","false"),panel.hidden=!0,opener.addEventListener("c\
lick",()=>this.open(panel.hidden)),panel.addEventListener("keydown",event=>{event.key==="Escape"&&(this.open(!1),opener.
focus())}),this.closing=event=>this.#closeFromOutside(event),document.addEventListener("pointerdown",this.closing,!0)}open(isOpen){
show(this.panel,isOpen),attribute(this.opener,"aria-expanded",String(isOpen))}#closeFromOutside(event){let path=event.composedPath();
!this.panel.hidden&&!path.includes(this.panel)&&!path.includes(this.opener)&&this.open(!1)}destroy(){document.removeEventListener(
"pointerdown",this.closing,!0)}},TAB_STEPS={ArrowRight:1,ArrowLeft:-1},Tabs=class{constructor(label2,panels,onOpen){this.
onOpen=onOpen,this.list=make("div",{class:"tab-list",role:"tablist","aria-label":label2}),this.tabs=new Map(panels.map(([
id,panel])=>[id,this.#tab(id,panel)])),this.list.append(...[...this.tabs.values()].map(({tab})=>tab)),this.list.addEventListener(
"keydown",event=>this.#key(event)),this.element=make("section",{class:"tabs"},this.list,...panels.map(([,panel])=>panel)),
this.chosen=panels[0][0],this.#draw()}#tab(id,panel){let words2=make("span",{}),number=make("span",{class:"tab-number"}),
tab=make("button",{type:"button",role:"tab",class:"tab",id:`tab-${id}`,"aria-controls":`panel-${id}`},words2,number);tab.
addEventListener("click",()=>this.open(id));for(let[name,value]of Object.entries({id:`panel-${id}`,role:"tabpanel","aria\
-labelledby":`tab-${id}`,tabindex:0}))attribute(panel,name,value);return panel.classList.add("tab-panel"),{tab,panel,words:words2,
number}}name(id,words2,number=null,shown=!0){let entry=this.tabs.get(id);write(entry.words,words2),write(entry.number,number===
null?"":String(number)),show(entry.number,number!==null),show(entry.tab,shown),!shown&&this.chosen===id&&this.open([...this.
tabs.keys()][0])}open(id){this.chosen!==id&&(this.chosen=id,this.#draw(),this.onOpen(id))}#draw(){for(let[id,{tab,panel}]of this.
tabs){let chosen=id===this.chosen;attribute(tab,"aria-selected",String(chosen)),attribute(tab,"tabindex",chosen?0:-1),show(
panel,chosen)}}#key(event){let shown=[...this.tabs.keys()].filter(id=>!this.tabs.get(id).tab.hidden),at=shown.indexOf(this.
chosen),to=event.key==="Home"?0:event.key==="End"?shown.length-1:at+(TAB_STEPS[event.key]??NaN);Number.isNaN(to)||(event.
preventDefault(),this.open(shown[(to+shown.length)%shown.length]),this.tabs.get(this.chosen).tab.focus())}};var Part=class{constructor(root,store,python){this.root=root,this.store=store,this.python=python,this.leave=[]}listen(listeners){
for(let[event,listener]of Object.entries(listeners))this.leave.push(this.store.on(event,listener))}followTheme(look){this.
root.addEventListener("transitionend",({target,propertyName})=>{target===this.root&&propertyName==="background-color"&&look()})}destroy(){
this.leave.forEach(leave=>leave())}},Sight=class extends Part{seq=0;update({seq,target}){seq!==this.seq&&(this.seq=seq,bringIntoSight(
target,{block:"start",takesFocus:!0}))}},Place=class extends Part{name="";update({name}){this.name=name,this.store.offerPlace(
name,this.root)}destroy(){super.destroy(),this.store.withdrawPlace(this.name,this.root)}};function fileName(...parts){return parts.filter(Boolean).map(part=>String(part).replace(/[^\p{L}\p{N}]+/gu,"-")).map(part=>part.
replace(/^-+|-+$/g,"").toLowerCase()).filter(Boolean).join("_")||"table"}function saveFile(content,type,name){let address=URL.
createObjectURL(content instanceof Blob?content:new Blob([content],{type})),anchor=document.createElement("a");anchor.href=
address,anchor.download=name,anchor.click(),setTimeout(()=>URL.revokeObjectURL(address),1e4)}var FORMULA=/^[=+\-@\t\r]/;
function csvOf(rows){return rows.map(cells2=>cells2.map(csvCell).join(",")+`\r
`).join("")}function csvCell(value){if(value==null)return"";if(typeof value=="number")return Number.isFinite(value)?String(
value):"";let text=FORMULA.test(value)?`'${value}`:String(value);return/[",\r\n]/.test(text)?`"${text.replaceAll('"','""')}\
"`:text}var TIMES_AS_SHARP=2,NOT_IN_XML=/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g,OVER_THE_CHART=".hoverla\
yer, .selectionlayer, .zoomlayer, .draglayer";function svgOfChart(chart,{title,description}){let{width,height}=chart.getBoundingClientRect(),
root=svgSheet(width,height,{title,description,background:paperOf(chart)});root.setAttribute("xmlns:xlink","http://www.w3\
.org/1999/xlink");for(let layer of chart.querySelectorAll(".main-svg")){let group=svgElement("g",{}),copy=layer.cloneNode(
!0);keepLengths(layer,copy),group.append(...copy.childNodes),root.append(group)}for(let hidden of root.querySelectorAll(
OVER_THE_CHART))hidden.remove();return svgText(root)}function paperOf(chart){let background=chart.style.background||getComputedStyle(
chart).backgroundColor;return chart.querySelector(".main-svg")?.style.background||background||"#ffffff"}function keepLengths(layer,copy){
let copies=copy.querySelectorAll("text");for(let[at,text]of[...layer.querySelectorAll("text")].entries()){let lines=text.
querySelectorAll("tspan.line"),copiedLines2=copies[at].querySelectorAll("tspan.line");if(lines.length)for(let[row,line]of[
...lines].entries())keepLength(line,copiedLines2[row]);else keepLength(text,copies[at])}}function keepLength(text,copy){
let length=text.getComputedTextLength();!(length>0)||!text.textContent.trim()||(copy.setAttribute("textLength",length.toFixed(
1)),copy.setAttribute("lengthAdjust","spacingAndGlyphs"))}function svgSheet(width,height,{title,description,background,...attributes}){
let root=svgElement("svg",{xmlns:"http://www.w3.org/2000/svg",viewBox:`0 0 ${width} ${height}`,width,height,role:"img",...attributes});
return root.append(svgElement("title",{},title),svgElement("desc",{},description)),root.append(svgElement("rect",{width,
height,fill:background})),root}function svgText(root){return svgFile(new XMLSerializer().serializeToString(root))}function svgFile(serialized){
return`<?xml version="1.0" encoding="UTF-8"?>
${serialized.replace(/url\((&quot;|")?[^#)"&]*#/g,"url($1#").replace(NOT_IN_XML,"")}
`}async function pngOfSvg(svg){let image=new Image,address=URL.createObjectURL(new Blob([withStyle(svg,await pageFonts(svg))],
{type:"image/svg+xml"}));try{image.src=address,await image.decode();let canvas=document.createElement("canvas");return Object.
assign(canvas,{width:image.width*TIMES_AS_SHARP,height:image.height*TIMES_AS_SHARP}),contextOf(canvas).drawImage(image,0,
0,canvas.width,canvas.height),await new Promise(resolve=>canvas.toBlob(resolve,"image/png"))}finally{URL.revokeObjectURL(
address)}}function withStyle(svg,style){return style?svg.replace(/<svg\b[^>]*>/,head=>`${head}<style>${style}</style>`):
svg}function firstFamily(svg){let found=/font-family: ?(?:&quot;|["'])?([^,;"'&]+)/.exec(svg);return found?found[1].trim():
null}function facesOf(rules,family,base){let faces=[];for(let{style}of rules){let name=style?.getPropertyValue("font-fam\
ily")?.replace(/["']/g,"").trim(),source=/url\(["']?([^"')]+)["']?\)/.exec(style?.getPropertyValue("src")??"");name!==family||
!source||faces.push({address:new URL(source[1],base).href,weight:style.getPropertyValue("font-weight")||"normal",style:style.
getPropertyValue("font-style")||"normal"})}return faces}async function pageFonts(svg){let family=firstFamily(svg);if(!family)
return"";let faces=[];for(let sheet2 of document.styleSheets)try{let rules=[...sheet2.cssRules].filter(rule=>rule instanceof
CSSFontFaceRule);faces.push(...facesOf(rules,family,sheet2.href??document.baseURI))}catch{}let own=faces.filter(({address,
style})=>style==="normal"&&new URL(address).origin===location.origin);return(await Promise.all(own.map(face=>carried(face,
family)))).join("")}async function carried({address,weight,style},family){try{let bytes=new Uint8Array(await(await fetch(
address)).arrayBuffer()),binary="";for(let at=0;at<bytes.length;at+=32768)binary+=String.fromCharCode(...bytes.subarray(
at,at+32768));let source=`url(data:font/woff2;base64,${btoa(binary)})`;return`@font-face{font-family:"${family}";font-we\
ight:${weight};font-style:${style};src:${source}}`}catch{return""}}var FILE_MARGIN=16;function svgFileOf(picture,{title,
description,background}){let copy=picture.cloneNode(!0);for(let grip of copy.querySelectorAll(".grip"))grip.remove();let[
width,height]=["width","height"].map(name=>Number(picture.getAttribute(name))+2*FILE_MARGIN),root=svgSheet(width,height,
{title,description,background,"font-family":picture.getAttribute("font-family")}),inner=svgElement("g",{transform:`trans\
late(${FILE_MARGIN} ${FILE_MARGIN})`});return inner.append(...copy.childNodes),root.append(inner),svgText(root)}var MOST_SHOWN=500,
FigureFiles=class extends Part{constructor(root,store,python){super(root,store,python),this.buttons=["PNG","SVG","CSV"].
map(kind=>button(kind,()=>this.#save(kind),{"data-file":kind.toLowerCase()})),this.status=make("span",{class:"unseen",role:"\
status"}),this.table=make("div",{class:"lines",role:"group","aria-label":"Table",tabindex:0}),this.lines=make("details",
{hidden:!0},make("summary",{},"Table"),this.table),this.lines.addEventListener("toggle",()=>this.#list());let bar2=make(
"div",{class:"bar"},make("span",{class:"label"},"Save as"),...this.buttons,this.status);root.append(bar2,this.lines)}update(document2){
this.document=document2;for(let button2 of this.buttons.slice(0,2))show(button2,!!document2.target);for(let button2 of this.
buttons)button2.setAttribute("aria-label",`Save ${document2.name} as ${button2.textContent}`);show(this.lines,!document2.
rows),this.#list()}#chart(){return(this.root.getRootNode().host??this.root).closest(`.st-key-${CSS.escape(this.document.
target)}`)?.querySelector(".js-plotly-plot")??null}#content(){let{columns,rows}=this.document;return rows?{columns,rows}:
linesOfChart(this.#chart())}#list(){if(!this.lines.open||this.document.rows)return;let{columns,rows}=this.#content(),row=(tag,cells2)=>make(
"tr",{},...cells2.map(cell=>make(tag,{},shownCell(cell)))),body=make("tbody",{},...rows.slice(0,MOST_SHOWN).map(cells2=>row(
"td",cells2)));this.table.replaceChildren(make("table",{},make("thead",{},row("th",columns)),body))}async#save(kind){let{
name,target,description}=this.document,file=`${fileName(name)}.${kind.toLowerCase()}`,chart=target?this.#chart():null;if(target&&
!chart)return void(this.status.textContent="The chart is still being drawn.");if(kind==="CSV"){let{columns,rows}=this.#content();
saveFile(csvOf([columns,...rows]),"text/csv;charset=utf-8",file)}else{let svg=svgOfChart(chart,{title:name,description});
kind==="SVG"?saveFile(svg,"image/svg+xml",file):saveFile(await pngOfSvg(svg),"image/png",file)}this.status.textContent=`\
Saved ${file}.`}};function shownCell(cell){return String(typeof cell=="number"?Number(cell.toPrecision(6)):cell??"")}function linesOfChart(chart){
let lines=(chart?._fullData??[]).filter(({mode,name,x})=>x?.length&&name&&mode?.includes("lines")),places=[...new Set(lines.
flatMap(({x})=>[...x]))].sort((a,b)=>a-b),at=lines.map(({x,y})=>new Map([...x].map((place,i)=>[place,y[i]])));return{columns:[
plainText(chart?._fullLayout?.xaxis?.title?.text??"x"),...lines.map(({name})=>plainText(name))],rows:places.map(place=>[
place,...at.map(values=>values.get(place)??null)])}}function plainText(text){return text.replace(/<[^>]*>/g,"")}var Hints=class extends Part{data=null;notes=new Map;constructor(root,store,python){super(root,store,python),root.hidden=
!0,this.listen({anchor:()=>this.place()})}update(data){if(this.data=data,data.run>this.store.hintsRun)this.store.hintsRun=
data.run,keep(this.store,data.remember_key,new Set);else for(let id of remembered(data.remember_key))this.store.closedHints.
add(id);this.place()}destroy(){super.destroy();for(let note of this.notes.values())note.remove()}place(){for(let{id,text}of this.
data?.hints??[]){let anchor=this.store.anchors.get(id);if(!anchor?.isConnected||this.store.closedHints.has(id))continue;
let note=this.notes.get(id)??this.#note(id,text);note.nextSibling!==anchor&&anchor.before(note)}}#note(id,text){let close=button(
"×",()=>this.#close(id),{kind:"close","aria-label":`Close the hint: ${text}`}),note=make("div",{class:"hint-note",role:"\
note","data-hint":id},make("span",{},text),close);return this.notes.set(id,note),note}#close(id){this.notes.get(id)?.remove(),
keep(this.store,this.data.remember_key,new Set([...this.store.closedHints,id])),this.data.hints.map(hint=>this.notes.get(
hint.id)).filter(note=>note?.isConnected)[0]?.querySelector("button")?.focus({preventScroll:!0})}};function remembered(key){
try{return(localStorage.getItem(key)??"").split(" ").filter(Boolean)}catch{return[]}}function keep(store,key,closed){store.
closedHints=closed;try{localStorage.setItem(key,[...closed].join(" "))}catch{}}var REPLACES=new Set(["edit","switch","dialect","semantics","effects","translate","suggest","rescues","reshape"]),ABOUT_NUMBERS=new Set(
["switch","fix","rescues","rescue","add","reshape_accept"]),PATIENCE_MS=2e4,Asks=class{constructor(send,now=Date.now){this.
send=send,this.now=now,this.seq=0,this.waiting=[],this.open=null,this.lastOf=new Map}ask(kind,more={}){return ABOUT_NUMBERS.
has(kind)&&this.isEditing?!1:(this.waiting=this.waiting.filter(other=>!(other.kind===kind&&REPLACES.has(kind))),this.waiting.
push({kind,...more}),this.lastOf.set(kind,1/0),this.#next(),!0)}hear(seq){this.seq=Math.max(this.seq,seq??0),this.open&&
(seq??0)>=this.open.seq&&(this.open=null),this.#next()}reset(){let left=[...this.open?[this.open.ask]:[],...this.waiting];
return this.waiting=[],this.open=null,this.lastOf.clear(),left}get isEditing(){return this.isAwaited("edit")}get isBusy(){
return this.open!==null||this.waiting.length>0}isAwaited(kind){return this.open?.ask.kind===kind||this.waiting.some(other=>other.
kind===kind)}isNews(kind,seq){return!this.waiting.some(other=>other.kind===kind)&&(seq??0)>=(this.lastOf.get(kind)??0)}#next(){
let[first]=this.waiting;if(!first)return;let late=this.open!==null&&this.now()-this.open.at>PATIENCE_MS,instead=this.open?.
ask.kind===first.kind&&REPLACES.has(first.kind);this.open!==null&&!late&&!instead||(this.waiting.shift(),this.seq=Math.max(
this.seq+1,this.now()),this.open={ask:first,seq:this.seq,at:this.now()},this.lastOf.set(first.kind,this.seq),this.send({
seq:this.seq,...first}))}},LOST_AFTER_MS=4e3,Flight=class{constructor(send,later=act=>setTimeout(act,LOST_AFTER_MS)){this.
send=send,this.later=later,this.seq=0,this.inFlight=0,this.waiting=null}move(message){this.waiting={...message,rests:!!message.
rests},this.inFlight||this.#go()}heard(echo){return this.seq=Math.max(this.seq,echo),this.inFlight&&echo>=this.inFlight&&
(this.inFlight=0,this.waiting&&this.#go()),!this.inFlight&&!this.waiting&&echo>=this.seq}get isAhead(){return!!(this.inFlight||
this.waiting)}#go(){let seq=this.seq+=1;this.inFlight=seq;let message=this.waiting;this.waiting=null,this.send({...message,
seq}),this.later(()=>{this.inFlight===seq&&(this.inFlight=0,this.waiting&&this.#go())})}},ASK_AGAIN_AFTER=6,Later=class extends Part{timer=0;update({
again_in_ms:wait}){this.root.hidden=!0,clearTimeout(this.timer),wait&&this.#askIn(wait,wait*ASK_AGAIN_AFTER)}#askIn(wait,patience){
this.timer=setTimeout(()=>{this.python.setTriggerValue("again",Date.now()),this.#askIn(patience,patience)},wait)}destroy(){
super.destroy(),clearTimeout(this.timer)}},TO_ANOTHER_PAGE='[data-testid^="stPageLink"] a[href], a[href][data-testid^="s\
tPageLink"]',AT_MOST_MS=5e3,LOOK_AGAIN_MS2=100;function isOnTheWay({to,until},here,now){return to!==here&&now<until}function watchLeaving(page){
let way={to:"",until:-1/0};return page.addEventListener("click",event=>{let link=event.target.closest?.(TO_ANOTHER_PAGE),
inThisTab=!(event.button||event.ctrlKey||event.metaKey||event.shiftKey);link&&inThisTab&&Object.assign(way,{to:new URL(link.
href).pathname,until:performance.now()+AT_MOST_MS})},!0),way}function sayUnlessLeaving(say,isHere){isHere()&&(isOnTheWay(
globalThis.queryscapeWay,location.pathname,performance.now())?setTimeout(()=>sayUnlessLeaving(say,isHere),LOOK_AGAIN_MS2):
say())}var TYPES={f32:Float32Array,f64:Float64Array,u8:Uint8Array,i16:Int16Array,u16:Uint16Array,u32:Uint32Array};function unpack(bytes){
let view=new DataView(bytes.buffer,bytes.byteOffset,bytes.byteLength);if(bytes.byteLength<8||view.getUint32(0,!0)!==827347793)
throw new Error("not a Queryscape payload");let headerLength=view.getUint32(4,!0),header=JSON.parse(new TextDecoder().decode(
bytes.subarray(8,8+headerLength))),arrays={};for(let{name,type,length,offset}of header.arrays){let Type=TYPES[type],end=offset+
length*Type.BYTES_PER_ELEMENT;arrays[name]=Type===Uint8Array?bytes.subarray(offset,end):new Type(bytes.slice(offset,end).
buffer)}return{header,arrays}}function bitAt(bits,i){return bits[i>>3]>>7-(i&7)&1}var STORES=globalThis.queryscapeStores??=
new Map;function storeNamed(name){let store=STORES.get(name)??new Store;return STORES.set(name,store),store}var Store=class{constructor(){
this.payloads={points:new Map,regions:new Map,curve:new Map,corpus:new Map,overlay:new Map},this.current={points:null,regions:null,
curve:null,corpus:null,overlay:null},this.live={},this.scores=null,this.draft=null,this.before=null,this.picked=new Uint32Array(
0),this.focused=null,this.hovered=null,this.found=null,this.listed=null,this.anchors=new Map,this.places=new Map,this.commit=
()=>{},this.focusOn=()=>{},this.labs=null,this.closedHints=new Set,this.hintsRun=0,this.listeners=new Map}on(event,listener){
let listeners=this.listeners.get(event)??new Set;return this.listeners.set(event,listeners.add(listener)),()=>{listeners.
delete(listener)}}tell(event){for(let listener of this.listeners.get(event)??[])listener(this)}put(payload){let{kind,id}=payload.
header,kept=this.payloads[kind];kept.delete(id),kept.set(id,payload);for(let old of kept.keys()){if(kept.size<=2)break;old!==
this.current[kind]&&kept.delete(old)}this.tell("data")}use(ids){let before={...this.current};this.current={...before,...ids},
before.points!==ids.points&&(this.picked=new Uint32Array(0),this.focused=null,this.found=null),["points","regions","curv\
e"].some(kind=>before[kind]!==ids[kind])&&this.tell("data")}useOnly(kind,id=null){this.current[kind]!==id&&(this.current[kind]=
id,this.tell("data"))}get points(){return this.#currentOf("points")}get regions(){return this.#currentOf("regions")}get curve(){
return this.#currentOf("curve")}get corpus(){return this.#currentOf("corpus")}get overlay(){return this.#currentOf("over\
lay")}#currentOf(kind){return this.payloads[kind].get(this.current[kind]??"")??null}tune(patch){this.live={...this.live,
...patch},this.tell("live")}pick(rows){this.picked=Uint32Array.from(rows).sort(),this.tell("picked")}hover(kind){this.hovered!==
kind&&(this.hovered=kind,this.tell("hovered"))}focus(row){this.focused=row,this.tell("focus")}find(rows){this.found=rows,
this.tell("find")}list(filter){this.listed=filter,this.tell("list")}offerPlace(name,element){this.places.set(name,element),
this.tell("place")}withdrawPlace(name,element){this.places.get(name)===element&&this.places.delete(name)}anchor(name,element){
this.anchors.set(name,element),this.tell("anchor")}},TITLE_DECODER=new TextDecoder,TITLE_ENCODER=new TextEncoder,TITLES_OF=new WeakMap,
LINE_END=10,SHORTEST_FIND=2;function titlesOf(points){return TITLES_OF.has(points)||TITLES_OF.set(points,new Titles(points.
arrays.titles)),TITLES_OF.get(points)}var RETRACTED_OF=new WeakMap;function retractedOf(points){return RETRACTED_OF.has(
points)||RETRACTED_OF.set(points,new Set(points.header.retracted)),RETRACTED_OF.get(points)}var Titles=class{constructor(bytes){
this.bytes=bytes,this.starts=lineStarts(bytes),this.length=this.starts.length-1}title(row){return!Number.isInteger(row)||
row<0||row>=this.length?"":TITLE_DECODER.decode(this.bytes.subarray(this.starts[row],this.starts[row+1]-1))}find(text){let typed=text.
trim().normalize("NFC");if(typed.length<SHORTEST_FIND)return null;let rows=new Uint32Array(this.length);return rows.slice(
0,matchingRows(this.bytes,this.starts,needleOf(typed),rows))}};function lineStarts(bytes){let n=1;for(let i=0;i<bytes.length;i++)
bytes[i]===LINE_END&&n++;let starts=new Uint32Array(n+1);for(let i=0,line=1;i<bytes.length;i++)bytes[i]===LINE_END&&(starts[line++]=
i+1);return starts[n]=bytes.length+1,starts}function needleOf(text){let low=[],high=[];for(let letter of text){let lower=TITLE_ENCODER.
encode(letter.toLowerCase()),upper=TITLE_ENCODER.encode(letter.toUpperCase());low.push(...lower),high.push(...upper.length===
lower.length?upper:lower)}let last=low.length-1,moves=new Uint32Array(256).fill(low.length);for(let i=0;i<last;i++)moves[low[i]]=
moves[high[i]]=last-i;let onward=Math.min(moves[low[last]],moves[high[last]]);return moves[low[last]]=moves[high[last]]=
0,{low:Uint8Array.from(low),high:Uint8Array.from(high),moves,onward}}function matchingRows(bytes,starts,{low,high,moves,
onward},rows){let last=low.length-1,end=bytes.length,n=0,row=0,at=last;for(;at<end;){let move=moves[bytes[at]];if(move!==
0){at+=move;continue}let back=1;for(;back<=last&&(bytes[at-back]===low[last-back]||bytes[at-back]===high[last-back]);)back++;
if(back<=last){at+=onward;continue}for(;starts[row+1]<=at;)row++;rows[n++]=row,at=starts[row+1]+last}return n}function isDark(element){let background=getComputedStyle(element).getPropertyValue("--st-background-color").trim(),[r,g,
b]=channels(background||"#ffffff");return .2126*r+.7152*g+.0722*b<128}function roleColours(store,element){let header=store.
points?.header??store.corpus?.header;return header?.colours?header.colours[isDark(element)?"dark":"light"]:null}function channels(colour){
if(colour.startsWith("#")){let hex=colour.length===4?[...colour.slice(1)].map(c=>c+c).join(""):colour.slice(1);return[0,
2,4].map(at=>parseInt(hex.slice(at,at+2),16))}return(colour.match(/[\d.]+/g)??[255,255,255]).slice(0,3).map(Number)}var ROLES=[
"accent","relevant","core","core_edge","not_relevant","warning","selection","faint","grid"];function wearColours(root,store){
let colours=roleColours(store,root);if(colours)for(let role of ROLES)colours[role]&&root.style.setProperty(`--role-${role.
replace("_","-")}`,colours[role])}function pixelOf(colour){let[r,g,b]=channels(colour);return(4278190080|b<<16|g<<8|r)>>>
0}var sheet;function styleSheet(){return sheet||(sheet=new CSSStyleSheet,sheet.replaceSync(`.queryscape.lab{--ink: var(-\
-st-text-color, #1b1f24);--paper: var(--st-background-color, #ffffff);--accent: var(--st-primary-color,
#1f4e79);--faint: color-mix(in srgb, var(--ink) 66%, var(--paper));--line: var(--st-border-color, #c3c9d1);color:var(--i\
nk);
background-color:var(--paper);transition:background-color 1ms;font:400 13px/20px var(--st-font, "Source Sans", system-ui\
,
sans-serif);font-variant-numeric:tabular-nums}.queryscape.lab *{box-sizing:border-box}.queryscape.lab :is(p,dl,dd,figure\
){
margin:0}.queryscape.lab :is(button,select,input){font:inherit;color:inherit}.queryscape.lab :focus-visible{outline:2px \
solid
var(--accent);outline-offset:1px}.queryscape.lab .lab-page{container-type:inline-size}.queryscape.lab .lab-bar{display:f\
lex;
flex-wrap:wrap;gap:8px 16px;align-items:center;justify-content:space-between;margin-bottom:14px}.queryscape.lab .lab-nam\
es{
display:flex;flex-wrap:wrap}.queryscape.lab .lab-names a{padding:5px 11px;border-bottom:2px solid var(--line);color:inhe\
rit;
text-decoration:none;white-space:nowrap}.queryscape.lab .lab-names a:hover{color:var(--accent);border-color:var(--accent\
)}
.queryscape.lab .lab-names a[aria-current]{color:var(--accent);border-color:var(--accent);font-weight:600}.queryscape.la\
b
.lab-steps{display:flex;gap:10px;align-items:center;margin-inline-start:auto}.queryscape.lab .lab-place{color:var(--fain\
t);
white-space:nowrap}.queryscape.lab .lab-frame{display:grid;grid-template-columns:250px minmax(0,1fr);gap:28px;align-item\
s:start}
.queryscape.lab .lab-left{display:grid;gap:14px;position:sticky;top:8px}.queryscape.lab h2{margin:0;font-size:17px;font-\
weight:600;
line-height:22px}.queryscape.lab .lab-explanation{margin-top:-8px}.queryscape.lab .lab-controls{display:grid;gap:14px}.q\
ueryscape.lab
.lab-slider{display:grid;grid-template-columns:minmax(0,1fr) auto;column-gap:8px}.queryscape.lab .lab-slider input{grid-\
row:2;
grid-column:1 / -1;width:100%;height:20px;margin:2px 0 0;accent-color:var(--accent)}.queryscape.lab .slider-name{font-we\
ight:600}
.queryscape.lab .slider-value{text-align:end}.queryscape.lab .lab-choice{display:grid;gap:4px}.queryscape.lab select{wid\
th:100%;
height:32px;padding:0 8px;border:1px solid var(--line);border-radius:6px;background:var(--paper);cursor:pointer}.querysc\
ape.lab
.side-by-side{display:flex}.queryscape.lab .side-by-side label{flex:1 1 auto;position:relative}.queryscape.lab .side-by-\
side
input{position:absolute;inset:0;opacity:0;width:100%;height:100%;margin:0;cursor:pointer}.queryscape.lab .side-by-side s\
pan{
display:grid;place-content:center;min-height:30px;padding:2px 8px;border:1px solid var(--line);margin-inline-start:-1px;\

text-align:center;line-height:16px}.queryscape.lab .side-by-side label:first-child span{border-radius:6px 0 0 6px;margin\
-inline-start:0}
.queryscape.lab .side-by-side label:last-child span{border-radius:0 6px 6px 0}.queryscape.lab .side-by-side label:only-c\
hild
span{border-radius:6px}.queryscape.lab .side-by-side input:checked+span{position:relative;border-color:var(--accent);col\
or:var(--accent);
background:color-mix(in srgb,var(--accent) 12%,var(--paper));font-weight:600}.queryscape.lab .side-by-side input:focus-v\
isible+
span{outline:2px solid var(--accent);outline-offset:1px}.queryscape.lab .lab-foot{display:flex;flex-wrap:wrap;gap:4px 10\
px;
align-items:center;min-height:30px}.queryscape.lab .lab-buttons{display:flex;gap:8px}.queryscape.lab .lab-status{color:v\
ar(--faint)}
.queryscape.lab .quiet{height:30px;padding:0 12px;border:1px solid var(--line);border-radius:6px;background:none;cursor:\
pointer;
white-space:nowrap}.queryscape.lab .quiet:hover{border-color:var(--accent);color:var(--accent)}.queryscape.lab .quiet[ar\
ia-disabled=true]{
opacity:.5;cursor:default;border-color:var(--line);color:inherit}.queryscape.lab .lab-expert summary{width:max-content;l\
ine-height:28px;
cursor:pointer;font-weight:600}.queryscape.lab .lab-expert[open]>:not(summary){margin-top:10px}.queryscape.lab .lab-refe\
rence{
color:var(--faint);font-size:12px;line-height:17px;overflow-wrap:anywhere}.queryscape.lab .lab-reference:empty{display:n\
one}
.queryscape.lab .lab-numbers{display:grid;gap:10px}.queryscape.lab .lab-numbers>div{padding-inline-start:9px;border-inli\
ne-start:3px
solid var(--role, transparent)}.queryscape.lab .lab-numbers dt{color:var(--faint);font-size:12px;line-height:16px}.query\
scape.lab
.lab-numbers dd{font-size:17px;font-weight:600;line-height:22px}.queryscape.lab .lab-numbers dd.more{display:-webkit-box\
;
overflow:hidden;-webkit-box-orient:vertical;-webkit-line-clamp:2;font-size:12px;font-weight:400;line-height:16px;color:v\
ar(--faint)}
.queryscape.lab .lab-numbers dd.more:empty{display:none}.queryscape.lab .lab-alert{margin-bottom:12px;padding:8px 12px;b\
order:1px
solid var(--line);border-inline-start:3px solid #b26a00;border-radius:6px}.queryscape.lab .lab-sentence{min-height:44px;\

max-width:860px;margin-bottom:10px;font-size:15px;line-height:22px}.queryscape.lab .lab-board{display:grid;grid-template\
-columns:repeat(var(--columns,
1),minmax(0,1fr));gap:18px 24px;align-items:end}.queryscape.lab[data-state=nothing] .lab-board{opacity:.35}.queryscape.l\
ab
[hidden]{display:none}.queryscape.lab figure.wide{grid-column:1 / -1}.queryscape.lab figure{position:relative}.queryscap\
e.lab
.chart{position:relative}.queryscape.lab .chart-picture .handle{touch-action:none;outline:none}.queryscape.lab .chart-pi\
cture
.along-x{cursor:ew-resize}.queryscape.lab .chart-picture .along-y{cursor:ns-resize}.queryscape.lab .chart-picture .handl\
e:hover{
fill:color-mix(in srgb,var(--accent) 10%,transparent)}.queryscape.lab .chart-picture .handle:is(:focus-visible,:active){\

fill:color-mix(in srgb,var(--accent) 14%,transparent);stroke:var(--accent);stroke-width:2}.queryscape.lab .chart-picture\
{
display:block;overflow:visible;user-select:none}.queryscape.lab .chart-picture .grip{cursor:grab;touch-action:none;outli\
ne:none}
.queryscape.lab .chart-picture .grip:hover{fill:color-mix(in srgb,var(--accent) 18%,transparent)}.queryscape.lab .chart-\
picture
.grip:is(:focus-visible,:active){stroke:var(--accent);stroke-width:2}.queryscape.lab .chart-picture .grip:active{cursor:\
grabbing}
.queryscape.lab .chart-card{position:absolute;inset:0 auto auto 0;z-index:2;max-width:260px;padding:5px 9px;border:1px s\
olid
var(--line);border-radius:6px;background:var(--paper);box-shadow:0 2px 8px #00000029;font-size:12px;line-height:17px;poi\
nter-events:none}
.queryscape.lab .chart-card p:first-child:not(:only-child){font-weight:600}.queryscape.lab .chart-files{display:flex;gap\
:4px;
justify-content:flex-end;font-size:12px}@media(hover:hover){.queryscape.lab .chart-files{position:absolute;inset:0 0 aut\
o
auto;padding-inline-start:8px;background:var(--paper);opacity:0}.queryscape.lab figure:is(:hover,:focus-within) .chart-f\
iles{
opacity:1}}.queryscape.lab .file{padding:0 8px;border:1px solid var(--line);border-radius:4px;background:none;cursor:poi\
nter}
.queryscape.lab .file:hover{border-color:var(--accent);color:var(--accent)}.queryscape.lab .lab-below{display:flex;flex-\
wrap:wrap;
gap:8px 16px;align-items:flex-start;margin-top:18px}.queryscape.lab .lab-table{flex:1 1 320px;min-width:0}.queryscape.la\
b
.lab-table summary{height:30px;line-height:30px;cursor:pointer;width:max-content}.queryscape.lab .lab-table-room{overflo\
w:auto;
max-height:420px}.queryscape.lab table{border-collapse:collapse}.queryscape.lab :is(th,td){padding:3px 12px 3px 0;border\
-bottom:1px
solid color-mix(in srgb,var(--ink) 14%,var(--paper));text-align:start}.queryscape.lab th{position:sticky;top:0;backgroun\
d:var(--paper);
font-weight:600;white-space:nowrap}.queryscape.lab td.number{text-align:end}.queryscape.lab .lab-stage{position:fixed;in\
set:0;
width:100%;height:100%;max-width:none;max-height:none;margin:0;padding:16px 28px;border:0;overflow:auto;color:var(--ink)\
;
background:var(--paper);outline:none}.queryscape.lab .lab-stage .lab-page{zoom:1.4}.queryscape.lab .lab-stage .lab-names\
{
display:none}.queryscape.lab .lab-stage .lab-steps{margin-inline:0 auto}.queryscape.lab .lab-stage .lab-frame{grid-templ\
ate-columns:220px
minmax(0,1fr);gap:24px}.queryscape.lab .lab-stage .lab-board{row-gap:10px}.queryscape.lab .lab-stage h2{font-size:20px;l\
ine-height:25px}
@media(max-width:1200px){.queryscape.lab .lab-stage .lab-page{zoom:1.2}}@media(max-width:600px){.queryscape.lab .lab-sta\
ge{
padding:12px}}@container (max-width: 820px){.queryscape.lab>.lab-page .lab-frame{grid-template-columns:minmax(0,1fr);gap\
:18px}
.queryscape.lab>.lab-page .lab-left{position:static}.queryscape.lab>.lab-page .lab-controls{grid-template-columns:repeat\
(auto-fill,minmax(220px,1fr))}
.queryscape.lab>.lab-page .lab-numbers{grid-template-columns:repeat(auto-fill,minmax(150px,1fr))}.queryscape.lab>.lab-pa\
ge
.lab-numbers dd.more{-webkit-line-clamp:4}}@container (max-width: 700px){.queryscape.lab .lab-stage .lab-frame{grid-temp\
late-columns:minmax(0,1fr);
gap:18px}.queryscape.lab .lab-stage .lab-left{position:static}}.queryscape.landscape{--ink: var(--st-text-color, #1f2328\
);--paper: var(--st-background-color, #ffffff);--tint: var(--st-secondary-background-color,
#f4f5f7);--edge: var(--st-border-color, rgba(128, 132, 140, .28));--quiet: color-mix(in srgb, var(--ink) 66%, var(--pape\
r));
--accent: var(--st-primary-color, var(--role-accent, #0072b2));--glass: color-mix(in srgb, var(--paper) 90%, transparent\
);
--thumb: 16px;box-sizing:border-box;container:landscape / inline-size;display:flex;flex-direction:column;width:100%;min-\
height:360px;
color:var(--ink);background-color:var(--paper);transition:background-color 1ms;font:400 13px/1.4 var(--st-font, system-u\
i,
sans-serif);font-variant-numeric:tabular-nums}.queryscape.landscape *,.queryscape.landscape *:before,.queryscape.landsca\
pe
*:after{box-sizing:border-box}.queryscape.landscape p{margin:0}.queryscape.landscape :is(button,input,select){font:inher\
it;
font-variant-numeric:inherit;color:inherit;margin:0}.queryscape.landscape :focus-visible{outline:2px solid var(--accent)\
;
outline-offset:2px}.queryscape.landscape:not(.ready) :is(.strip,.readout,.stage-foot,.tools)>*{visibility:hidden}.querys\
cape.landscape:not(.ready)
.stage{background:linear-gradient(100deg,var(--tint) 40%,var(--paper) 50%,var(--tint) 60%) 0 0 / 300% 100%;animation:lan\
dscape-waits
2.4s linear infinite}.queryscape.landscape:not(.ready) .layer{visibility:hidden}.queryscape.landscape.ready.waiting .lay\
er{
opacity:.45}@keyframes landscape-waits{0%{background-position:120% 0}to{background-position:-60% 0}}@media(prefers-reduc\
ed-motion:reduce){
.queryscape.landscape:not(.ready) .stage{animation:none}}.queryscape.landscape .field{height:28px;padding:0 8px;border:1\
px
solid var(--edge);border-radius:7px;background:var(--paper)}.queryscape.landscape select.field{padding-right:4px;text-ov\
erflow:ellipsis;
cursor:pointer}.queryscape.landscape .field:hover{border-color:var(--quiet)}.queryscape.landscape .field::placeholder{co\
lor:var(--quiet);
opacity:1}.queryscape.landscape .quiet{height:28px;padding:0 11px;border:1px solid var(--edge);border-radius:7px;backgro\
und:var(--paper);
cursor:pointer;white-space:nowrap}.queryscape.landscape .quiet:hover{border-color:var(--accent);color:var(--accent)}.que\
ryscape.landscape
.icon{width:15px;height:15px;fill:none;stroke:currentColor;stroke-width:1.4;stroke-linecap:round;stroke-linejoin:round}.\
queryscape.landscape
.strip{position:relative;display:flex;align-items:center;gap:14px;height:54px;flex:none;padding:0 2px}.queryscape.landsc\
ape
.strip-head{display:flex;flex-direction:column;gap:2px;flex:none;max-width:190px}.queryscape.landscape .strip-name{font-\
weight:600;
white-space:nowrap}.queryscape.landscape .strip-head .field{height:25px;max-width:172px;font-size:12px}.queryscape.lands\
cape
.strip-help{flex:1;color:var(--quiet);display:-webkit-box;-webkit-line-clamp:2;-webkit-box-orient:vertical;overflow:hidd\
en}
.queryscape.landscape .strip-buttons{display:flex;gap:6px;margin-left:auto;flex:none}.queryscape.landscape .status{posit\
ion:absolute;
right:0;top:110%;padding:1px 8px;border-radius:4px;background:var(--st-text-color);color:var(--st-background-color);font\
-size:12px;
white-space:nowrap;pointer-events:none}.queryscape.landscape .status:empty{display:none}.queryscape.landscape .more:afte\
r{
content:"";display:inline-block;width:5px;height:5px;margin:0 0 2px 7px;border:solid currentColor;border-width:0 1.4px 1\
.4px
0;transform:rotate(45deg)}.queryscape.landscape .more[aria-expanded=true]:after{transform:rotate(225deg);margin-bottom:-\
1px}
.queryscape.landscape input[type=range]{-webkit-appearance:none;appearance:none;width:100%;height:18px;background:transp\
arent;
cursor:pointer;outline-offset:1px;border-radius:6px}.queryscape.landscape input[type=range]::-webkit-slider-runnable-tra\
ck{
height:3px;border-radius:2px;background:linear-gradient(to right,var(--accent) calc(var(--thumb) / 2 + (100% - var(--thu\
mb))
* var(--along, 0)),color-mix(in srgb,var(--ink) 20%,var(--paper)) 0)}.queryscape.landscape input[type=range]::-moz-range\
-track{
height:3px;border-radius:2px;background:color-mix(in srgb,var(--ink) 20%,var(--paper))}.queryscape.landscape input[type=\
range]::-moz-range-progress{
height:3px;border-radius:2px;background:var(--accent)}.queryscape.landscape input[type=range]::-webkit-slider-thumb{-web\
kit-appearance:none;
width:var(--thumb);height:var(--thumb);margin-top:calc((3px - var(--thumb)) / 2);border-radius:50%;background:var(--acce\
nt);
border:2.5px solid var(--paper);box-shadow:0 0 0 1px var(--accent)}.queryscape.landscape input[type=range]::-moz-range-t\
humb{
width:var(--thumb);height:var(--thumb);border-radius:50%;background:var(--accent);border:2.5px solid var(--paper);box-sh\
adow:0
0 0 1px var(--accent)}.queryscape.landscape input[type=range]:active::-webkit-slider-thumb{box-shadow:0 0 0 5px color-mi\
x(in
srgb,var(--accent) 25%,transparent)}.queryscape.landscape .slider{display:grid;grid-template-columns:1fr auto;column-gap\
:10px;
align-items:baseline}.queryscape.landscape .slider.stacked input{grid-column:1 / -1;grid-row:2}.queryscape.landscape .sl\
ider.wide{
flex:1;grid-template-columns:auto 1fr auto;align-items:center;column-gap:14px;min-width:0}.queryscape.landscape .slider.\
quantile{
flex:none;width:132px;font-size:12px}.queryscape.landscape .slider-name{color:var(--quiet);white-space:nowrap;overflow:h\
idden;
text-overflow:ellipsis}.queryscape.landscape .slider-value{text-align:right;font-weight:600}.queryscape.landscape .strip\
>
.slider-value{flex:none;min-width:3.4em;font-size:19px;font-weight:600;letter-spacing:-.01em}.queryscape.landscape .trac\
k{
position:relative;flex:1;min-width:90px;height:50px}.queryscape.landscape .sparkline{position:absolute;left:calc(var(--t\
humb)
/ 2);top:2px;width:calc(100% - var(--thumb));height:33px;overflow:visible}.queryscape.landscape .area.beyond{fill:var(--\
role-not-relevant,
#9aa0a6);opacity:.2;clip-path:inset(0 calc(100% - var(--along, 0) * 100%) 0 0)}.queryscape.landscape .area.within{fill:v\
ar(--role-relevant,
#0072b2);opacity:.28;clip-path:inset(0 0 0 calc(var(--along, 0) * 100%))}.queryscape.landscape .curve{fill:none;stroke:v\
ar(--role-relevant,
#0072b2);stroke-width:1.4;vector-effect:non-scaling-stroke;stroke-linejoin:round}.queryscape.landscape .needle{position:\
absolute;
top:0;height:35px;width:0;border-left:1.5px solid var(--accent);pointer-events:none;left:calc(var(--thumb) / 2 + (100% -\

var(--thumb)) * var(--along, 0) - .75px)}.queryscape.landscape .track input[type=range]{position:absolute;inset:0;height\
:50px}
.queryscape.landscape .track input[type=range]::-webkit-slider-runnable-track{margin-top:20px;background:color-mix(in sr\
gb,var(--ink)
20%,var(--paper))}.queryscape.landscape .track input[type=range]::-moz-range-track{margin-top:20px}.queryscape.landscape\

.ticks{position:absolute;inset:0;pointer-events:none;z-index:1}.queryscape.landscape .tick{position:absolute;top:41px;wi\
dth:24px;
height:24px;padding:0;border:0;background:none;pointer-events:auto;cursor:pointer;left:calc(var(--thumb) / 2 + (100% - v\
ar(--thumb))
* var(--along, 0) - 12px)}.queryscape.landscape .tick:before{content:"";position:absolute;left:8px;top:2px;border:solid \
transparent;
border-width:0 4px 6px;border-bottom-color:var(--quiet)}.queryscape.landscape .tick:hover:before{border-bottom-color:var\
(--accent)}
.queryscape.landscape.tuning{min-height:0;gap:14px;background:none}.queryscape.landscape.tuning .panel{position:static;w\
idth:auto;
padding:0;border:0;box-shadow:none;background:none}.queryscape.landscape.tuning .strip-buttons{margin:0}.queryscape.land\
scape
.decay-curve{margin:0 0 12px}.queryscape.landscape .decay-curve svg{display:block;width:100%;height:60px;border-bottom:1\
px
solid var(--edge);border-left:1px solid var(--edge)}.queryscape.landscape .decay-curve figcaption{font-size:12px;color:v\
ar(--quiet)}
.queryscape.landscape .decay-needle{stroke:var(--accent);stroke-width:1.5;vector-effect:non-scaling-stroke}.queryscape.l\
andscape
.panel{position:absolute;z-index:8;top:calc(100% - 4px);right:0;width:min(480px,100%);padding:14px 16px;border:1px solid\

var(--edge);border-radius:11px;background:var(--paper);box-shadow:0 10px 34px #0003}.queryscape.landscape .panel-title{f\
ont-weight:600;
margin-bottom:8px}.queryscape.landscape .panel-sliders{display:grid;grid-template-columns:1fr 1fr;gap:12px 26px}.querysc\
ape.landscape
.readout{display:flex;flex:none;align-items:baseline;gap:4px 20px;height:30px;padding:0 2px;white-space:nowrap;overflow:\
hidden}
.queryscape.landscape .readout.sentence{gap:4px 6px}.queryscape.landscape .readout-item{display:inline-flex;align-items:\
baseline;
gap:6px}.queryscape.landscape .sentence .readout-item{flex-direction:row-reverse}.queryscape.landscape .readout-name{col\
or:var(--quiet);
font-size:12.5px}.queryscape.landscape .readout-value{display:inline-block;min-width:5.4ch;font-weight:600;font-size:14p\
x}
.queryscape.landscape .sentence .readout-value{min-width:0}.queryscape.landscape .panel .readout-item{margin-top:8px}.qu\
eryscape.landscape
.stage{position:relative;flex:1;min-height:0;border:1px solid var(--edge);border-radius:11px;overflow:hidden}.queryscape\
.landscape
.layer{position:absolute;inset:0;width:100%;height:100%}.queryscape.landscape .lines{cursor:grab;touch-action:pan-y}.que\
ryscape.landscape
.lines:focus-visible{outline-offset:-3px;border-radius:10px}.queryscape.landscape .lines.dragging{cursor:grabbing}.query\
scape.landscape
.lines.lassoing{cursor:crosshair;touch-action:none}.queryscape.landscape .hand-layer{pointer-events:none}.queryscape.lan\
dscape
.lasso{fill:var(--role-selection, #b8860b);fill-opacity:.12;stroke:var(--role-selection, #b8860b);stroke-width:1.6;strok\
e-dasharray:5
4}.queryscape.landscape .hover-ring{fill:none;stroke:var(--ink);stroke-width:1.6}.queryscape.landscape .zoom-hint{positi\
on:absolute;
left:50%;top:50%;padding:7px 13px;border-radius:8px;background:var(--ink);color:var(--paper);font-weight:600;transform:t\
ranslate(-50%,-50%);
opacity:0;pointer-events:none;transition:opacity .2s}.queryscape.landscape .zoom-hint.on{opacity:.85}.queryscape.landsca\
pe
.stage-message{position:absolute;inset:0;display:flex;flex-direction:column;gap:14px;align-items:center;justify-content:\
center;
padding:24px;text-align:center;color:var(--quiet);background:var(--tint)}.queryscape.landscape .without-picture :is(.lay\
er,
.tools,.stage-foot){visibility:hidden}.queryscape.landscape .tools{position:absolute;top:10px;left:10px;right:10px;displ\
ay:flex;
justify-content:space-between;align-items:flex-start;gap:8px;pointer-events:none}.queryscape.landscape .tools :is(.field\
,
.tool,.note,label){pointer-events:auto}.queryscape.landscape .tools .field{background:var(--glass)}.queryscape.landscape\

.find-box{display:flex;flex-wrap:wrap;align-items:center;gap:6px;min-width:0}.queryscape.landscape .find{width:190px}.qu\
eryscape.landscape
.note{display:inline-flex;align-items:center;gap:4px;height:24px;padding:0 8px;border-radius:12px;background:var(--glass\
);
font-size:12.5px;white-space:nowrap}.queryscape.landscape .note.picked{box-shadow:inset 0 0 0 1.5px var(--role-selection\
,
#b8860b)}.queryscape.landscape .note.notice{box-shadow:inset 0 0 0 1.5px var(--role-warning, #e69f00);height:auto;white-\
space:normal}
.queryscape.landscape .note-clear{width:20px;height:20px;padding:0;border:0;border-radius:50%;background:none;cursor:poi\
nter;
font-size:15px;line-height:1}.queryscape.landscape .note-clear:hover{background:var(--tint)}.queryscape.landscape .tools\
-right{
display:flex;align-items:center;gap:4px;flex:none}.queryscape.landscape .colour-label{display:flex;align-items:center;ga\
p:6px;
margin-right:4px;padding-left:8px;border-radius:7px;background:var(--glass);font-size:12.5px;color:var(--quiet)}.querysc\
ape.landscape
.colour-by{color:var(--ink);width:96px}.queryscape.landscape .tool{position:relative;display:inline-grid;place-items:cen\
ter;
width:28px;height:28px;padding:0;border:1px solid var(--edge);border-radius:7px;background:var(--glass);cursor:pointer}.\
queryscape.landscape
.tool.words{width:auto;padding:0 7px;font-size:11.5px;font-weight:600}.queryscape.landscape .tool.more{grid-auto-flow:co\
lumn}
.queryscape.landscape .tool:hover{border-color:var(--accent);color:var(--accent)}.queryscape.landscape .tool[aria-presse\
d=true]{
border-color:var(--accent);color:var(--accent);background:color-mix(in srgb,var(--accent) 14%,var(--paper))}.queryscape.\
landscape
.menu{position:absolute;z-index:6;top:34px;right:0;display:flex;flex-direction:column;padding:5px;border:1px solid var(-\
-edge);
border-radius:9px;background:var(--paper);box-shadow:0 6px 22px #0000002e;pointer-events:auto}.queryscape.landscape .men\
u-entry{
display:flex;align-items:center;gap:7px;min-height:30px;padding:0 9px;border:0;border-radius:6px;background:none;text-al\
ign:left;
white-space:nowrap;cursor:pointer}.queryscape.landscape .menu-entry:hover{background:var(--tint)}.queryscape.landscape .\
stage-foot{
position:absolute;left:8px;right:10px;bottom:7px;display:flex;align-items:flex-end;justify-content:space-between;flex-wr\
ap:wrap;
gap:2px 14px;pointer-events:none}.queryscape.landscape .legend{display:flex;flex-wrap:wrap;align-items:center;gap:1px;po\
inter-events:auto;
border-radius:7px;background:var(--glass)}.queryscape.landscape .legend-entry{display:inline-flex;align-items:center;gap\
:4px;
height:24px;padding:0 7px 0 4px;border:0;border-radius:6px;background:none;font-size:12px;white-space:nowrap;cursor:poin\
ter}
.queryscape.landscape .legend-entry:hover{background:var(--tint)}.queryscape.landscape .legend-entry[aria-pressed=false]\
{
color:var(--quiet);text-decoration:line-through}.queryscape.landscape .legend-entry[aria-pressed=false] .legend-icon{opa\
city:.3}
.queryscape.landscape .legend-icon{width:16px;height:16px;flex:none}.queryscape.landscape .legend-key{flex:0 0 auto;max-\
width:100%;
display:flex;align-items:center;gap:6px 9px;min-height:24px;padding:0 8px;border-radius:6px;background:var(--glass);font\
-size:12px;
flex-wrap:wrap}.queryscape.landscape .key-title{font-weight:600}.queryscape.landscape .key-ramp{width:110px;height:9px;b\
order-radius:3px}
.queryscape.landscape .key-name{display:inline-flex;align-items:center;gap:4px;max-width:130px;white-space:nowrap;overfl\
ow:hidden}
.queryscape.landscape .key-dot{width:9px;height:9px;border-radius:50%;flex:none}.queryscape.landscape .caption{font-size\
:11px;
line-height:1.3;color:var(--quiet);text-align:right;max-width:300px;padding:2px 6px;border-radius:6px;background:var(--g\
lass)}
.queryscape.landscape .badge{margin-right:6px;padding:0 6px;border-radius:8px;border:1px solid var(--role-warning, #e69f\
00);
font-weight:600;white-space:nowrap}.queryscape.landscape .hover-card{position:absolute;z-index:5;left:0;top:0;width:max-\
content;
max-width:min(320px,calc(100% - 8px));padding:9px 12px;border:1px solid var(--edge);border-radius:9px;background:var(--p\
aper);
box-shadow:0 6px 22px #0000002e;pointer-events:none}.queryscape.landscape .card-title{font-weight:600;line-height:1.3;di\
splay:-webkit-box;
-webkit-line-clamp:3;-webkit-box-orient:vertical;overflow:hidden}.queryscape.landscape .card-facts{margin-top:3px;font-s\
ize:12px;
color:var(--quiet)}.queryscape.landscape .card-why{margin-top:3px;font-size:12px}.queryscape.landscape .how-to-read{flex\
:none;
height:24px;padding:4px 2px 0;font-size:12px;color:var(--quiet);white-space:nowrap;overflow:hidden;text-overflow:ellipsi\
s}
@container landscape (max-width: 940px){.queryscape.landscape .stage-foot{flex-direction:column;align-items:stretch}.que\
ryscape.landscape
.caption{order:-1;max-width:none;text-align:left;background:none;padding:0 4px}}@container landscape (max-width: 860px){\

.queryscape.landscape .readout:not(.sentence){height:42px;justify-content:space-between;gap:10px}.queryscape.landscape .\
readout:not(.sentence)
.readout-item{flex-direction:column;gap:0}.queryscape.landscape .readout-name{font-size:11.5px}}@container landscape (ma\
x-width:
680px){.queryscape.landscape .only-wide{display:none}.queryscape.landscape .find{width:150px}.queryscape.landscape .stri\
p{
gap:10px}.queryscape.landscape .strip-head .field{max-width:132px}.queryscape.landscape .legend-entry{padding:0 5px 0 2p\
x;
font-size:11.5px;gap:2px}.queryscape.landscape .readout-name{font-size:11px}.queryscape.landscape .readout-value{font-si\
ze:13px}}
@container landscape (max-width: 480px){.queryscape.landscape .strip{flex-wrap:wrap;height:auto;row-gap:4px}.queryscape.\
landscape
.strip>:is(.track,.slider.wide,.strip-help){order:1;flex:1 0 100%}.queryscape.landscape .find{min-width:0}}.queryscape [\
hidden]{display:none!important}.queryscape .unseen{position:absolute;width:1px;height:1px;padding:0;border:0;
overflow:hidden;clip-path:inset(50%);white-space:nowrap}.queryscape:is(.scores,.table,.record){--ink: var(--st-text-colo\
r,
#262a33);--paper: var(--st-background-color, #ffffff);--accent: var(--st-primary-color, #2f6fd0);--faint: color-mix(in s\
rgb,
var(--ink) 66%, var(--paper));--line: color-mix(in srgb, var(--ink) 14%, var(--paper));--wash: color-mix(in srgb, var(--\
ink)
4%, var(--paper));--relevant: var(--role-relevant, #0072b2);--core: var(--role-core, #d55e00);--grey: var(--role-not-rel\
evant,
#9aa1ab);--warning: var(--role-warning, #e69f00);color:var(--ink);font:400 13px/20px var(--st-font, "Source Sans", "Sour\
\\
ce Sans 3", system-ui, sans-serif);font-variant-numeric:tabular-nums}.queryscape:is(.scores,.table,.record){container-ty\
pe:inline-size}
.queryscape:is(.scores,.table,.record) *{box-sizing:border-box}.queryscape:is(.scores,.table,.record) :is(h2,h3,p,ul,ol,\

dl){margin:0;padding:0;list-style:none}.queryscape:is(.scores,.table,.record) :is(button,input){font:inherit;color:inher\
it}
.queryscape:is(.scores,.table,.record) :focus-visible{outline:2px solid var(--accent);outline-offset:1px}.queryscape:is(\
.scores,
.table,.record) a{color:var(--accent);text-decoration:none}.queryscape:is(.scores,.table,.record) a:hover{text-decoratio\
n:underline}
.queryscape:is(.scores,.table,.record) :is(.quiet,.primary){height:28px;padding:0 12px;border:1px solid var(--line);bord\
er-radius:6px;
background:none;cursor:pointer;white-space:nowrap;transition:border-color .12s,background-color .12s}.queryscape:is(.sco\
res,
.table,.record) .quiet:hover:enabled{border-color:var(--accent);color:var(--accent)}.queryscape:is(.scores,.table,.recor\
d)
button:disabled{opacity:.5;cursor:default}.queryscape:is(.scores,.table,.record) .link{padding:0 2px;border:0;border-rad\
ius:4px;
background:none;color:var(--accent);cursor:pointer}.queryscape:is(.scores,.table,.record) .link:hover{text-decoration:un\
derline}
.queryscape:is(.table,.record) .mark{display:inline-block;flex:none;width:10px;height:10px;border:2px solid transparent;\

border-radius:50%}.queryscape:is(.table,.record) .mark.relevant{border-color:var(--relevant);background:var(--relevant)}\

.queryscape:is(.table,.record) .mark.outside{border:3.5px solid transparent;background:var(--grey) padding-box}.querysca\
pe:is(.table,
.record) .mark.undefined{height:2px;border:0;border-radius:1px;background:var(--line)}.queryscape:is(.table,.record) .ma\
rk.plain{
border-color:var(--grey);background:var(--grey)}.queryscape:is(.table,.record) .mark.absent{border-color:var(--grey)}.qu\
eryscape:is(.table,
.record) .mark.core-found{border-color:var(--core);background:var(--core)}.queryscape:is(.table,.record) .mark.core-miss\
ed{
border-color:var(--core)}@keyframes queryscape-shimmer{0%{background-position:150% 0}to{background-position:-50% 0}}.que\
ryscape.scores
.waiting,.queryscape.table[aria-busy=true] .grid-space:before,.queryscape.record [aria-busy=true] :is(.abstract,.why,.ne\
arest){
--shine: color-mix(in srgb, var(--ink) 10%, transparent);background:linear-gradient(100deg,transparent 35%,var(--shine) \
50%,transparent
65%) color-mix(in srgb,var(--ink) 7%,var(--paper));background-size:200% 100%;animation:queryscape-shimmer 1.8s linear in\
finite}
.queryscape.table[aria-busy=true] .grid-space:before{mask:repeating-linear-gradient(#000 0 14px,transparent 14px 32px)}.\
queryscape.record
[aria-busy=true] .abstract{mask:repeating-linear-gradient(#000 0 12px,transparent 12px 20px)}.queryscape.record [aria-bu\
sy=true]
:is(.why,.nearest){mask:repeating-linear-gradient(#000 0 14px,transparent 14px 28px)}.queryscape.scores .strip{display:f\
lex;
align-items:stretch;border-block:1px solid var(--line)}.queryscape.scores .numbers{display:grid;flex:1;grid-template-col\
umns:repeat(4,minmax(0,1fr));
margin:0}.queryscape.scores .number-cell{min-width:0;height:58px;padding:5px 12px}.queryscape.scores .number-cell:first-\
child{
padding-left:2px}.queryscape.scores .number-cell+.number-cell{border-left:1px solid var(--line)}.queryscape.scores dt{ov\
erflow:hidden;
color:var(--faint);font-size:12px;line-height:15px;white-space:nowrap;text-overflow:ellipsis}.queryscape.scores dd{margi\
n:0}
.queryscape.scores .figures{display:flex;align-items:baseline;gap:6px;height:26px;line-height:26px;white-space:nowrap}.q\
ueryscape.scores
.number-cell .value{font-size:20px}.queryscape.scores button.value{min-height:24px;padding:0;border:0;background:none;te\
xt-decoration:underline
dotted 1px;text-underline-offset:4px;cursor:pointer}.queryscape.scores button.value[aria-disabled=true]{text-decoration:\
none;
cursor:default}.queryscape.scores .of{overflow:hidden;color:var(--faint);font-size:12px;text-overflow:ellipsis}.querysca\
pe.scores
.change{color:var(--faint);font-size:12px;font-weight:600}.queryscape.scores .strip.degenerate .number-cell:nth-child(n+\
3)
.value{color:var(--faint);text-decoration:line-through 1.5px}.queryscape.scores .side{display:flex;flex:none;flex-wrap:w\
rap;
align-content:center;align-items:center;gap:6px 10px;padding-left:12px;border-left:1px solid var(--line);font-size:12px;\

color:var(--faint)}.queryscape.scores .measured{display:flex;align-items:center;gap:7px}.queryscape.scores .measured[hid\
den]{
display:none}.queryscape.scores .side .field{height:28px;padding:0 4px 0 8px;border:1px solid var(--line);border-radius:\
6px;
background:var(--paper);color:var(--ink);font:inherit}.queryscape.scores .cards{margin-top:8px}.queryscape.scores .cards\
[hidden]{
display:none}.queryscape.scores .cards{display:grid;grid-template-columns:minmax(0,1.5fr) repeat(var(--n, 5),minmax(0,1f\
r));
gap:8px}.queryscape.scores .regions{display:contents}.queryscape.scores .card{position:relative;height:104px;padding:9px\

11px 8px;overflow:hidden;border:1px solid var(--line);border-radius:8px;background:var(--paper);transition:border-color \
.12s,background-color
.12s}.queryscape.scores .card[role=radio]{cursor:pointer}.queryscape.scores .card[role=radio]:hover{border-color:color-m\
ix(in
srgb,var(--ink) 36%,var(--paper))}.queryscape.scores .card[aria-checked=true],.queryscape.scores .card[aria-checked=true\
]:hover{
border-color:var(--accent);box-shadow:inset 0 0 0 1px var(--accent);background:color-mix(in srgb,var(--accent) 5%,var(--\
paper))}
.queryscape.scores .head{display:flex;align-items:center;gap:6px;height:16px;line-height:16px}.queryscape.scores .label{\

overflow:hidden;font-size:12px;font-weight:600;color:var(--faint);white-space:nowrap;text-overflow:ellipsis}.queryscape.\
scores
[aria-checked=true] .label{color:var(--ink)}.queryscape.scores .main{display:flex;align-items:baseline;gap:6px;height:30\
px;
line-height:30px}.queryscape.scores .value{font-size:24px;font-weight:600;letter-spacing:-.01em}.queryscape.scores .beta\
{
font-size:12px;color:var(--faint)}.queryscape.scores .beta sub{font-size:9px;line-height:0}.queryscape.scores .undefined\

.value{color:var(--faint);font-weight:400}.queryscape.scores .degenerate .value{color:var(--faint);text-decoration:line-\
through;
text-decoration-thickness:1.5px}.queryscape.scores .waiting{align-self:center;width:100%;padding:0 8px;border-radius:4px\
;
overflow:hidden;font-size:12px;line-height:22px;color:var(--faint);white-space:nowrap;text-overflow:ellipsis}.queryscape\
.scores
.whisker{position:relative;height:8px;margin-bottom:4px}.queryscape.scores .whisker:before{content:"";position:absolute;\

inset:3px 0;border-radius:1px;background:var(--line)}.queryscape.scores .whisker .range{position:absolute;top:3px;height\
:2px;
min-width:2px;border-radius:1px;background:color-mix(in srgb,var(--ink) 55%,var(--paper))}.queryscape.scores .whisker .a\
t{
position:absolute;top:0;width:3px;height:8px;margin-left:-1.5px;border-radius:1.5px;background:var(--ink)}.queryscape.sc\
ores
.degenerate .whisker{opacity:.4}.queryscape.scores .small{display:flex;justify-content:flex-start;gap:0;height:14px;over\
flow:hidden;
font-size:11px;line-height:14px;color:var(--faint);white-space:nowrap}.queryscape.scores .small span{overflow:hidden;tex\
t-overflow:ellipsis}
.queryscape.scores .small span+span{flex:none}.queryscape.scores .small [data-filter]{cursor:pointer;text-decoration:und\
erline
dotted;text-underline-offset:2px}.queryscape.scores .small span+span:before{content:"·";padding:0 4px}.queryscape.scores\

.undefined .reason{height:28px;white-space:normal}.queryscape.scores .undefined .reason span{display:-webkit-box;-webkit\
-box-orient:vertical;
-webkit-line-clamp:2}.queryscape.scores .live-dot{display:none;flex:none;width:6px;height:6px;border-radius:50%;backgrou\
nd:var(--accent)}
.queryscape.scores .live .live-dot{display:block}.queryscape.scores .live .value{color:var(--accent)}.queryscape.scores \
.notes{
display:flex;align-items:center;justify-content:space-between;gap:16px;height:24px;padding:0 2px;font-size:12px;color:va\
r(--faint)}
.queryscape.scores .notes[hidden]{display:none}.queryscape.scores .warning{display:flex;align-items:center;gap:6px;min-w\
idth:0}
.queryscape.scores .warning-text{overflow:hidden;white-space:nowrap;text-overflow:ellipsis;color:var(--ink)}.queryscape.\
scores
.warning-icon{flex:none;width:14px;height:13px;background:var(--warning);clip-path:path("M7 0.5 L14 13 L0 13 Z M6.2 4.8 \
\\
L6.4 9 L7.6 9 L7.8 4.8 Z M6.2 10 L6.2 11.6 L7.8 11.6 L7.8 10 Z")}.queryscape.scores :is(.link,.unscorable){flex:none;whi\
te-space:nowrap}
.queryscape.scores .unscorable{margin-left:auto}.queryscape.scores .warnings{padding:0 2px 4px 22px;font-size:12px;line-\
height:18px}
@container (max-width: 960px){.queryscape.scores .numbers{grid-template-columns:1fr .95fr 1.3fr 1.15fr}.queryscape.score\
s
.cards{grid-template-columns:repeat(auto-fit,minmax(104px,1fr));gap:6px}.queryscape.scores .card{height:84px;padding:7px\

9px}.queryscape.scores .value{font-size:21px}.queryscape.scores .small+.small,.queryscape.scores .small span+span{displa\
y:none}
.queryscape.scores .undefined .reason{height:14px;white-space:nowrap}.queryscape.scores .undefined .reason span{display:\
block}}
@container (max-width: 720px){.queryscape.scores .strip{flex-direction:column}.queryscape.scores .numbers{grid-template-\
columns:repeat(2,minmax(0,1fr))}
.queryscape.scores .number-cell:nth-child(odd){padding-left:2px;border-left:0}.queryscape.scores .number-cell:nth-child(\
n+3){
border-top:1px solid var(--line)}.queryscape.scores .side{padding:6px 2px;border-left:0;border-top:1px solid var(--line)\
}}
@container (max-width: 480px){.queryscape.scores .cards{grid-template-columns:repeat(2,minmax(0,1fr))}}.queryscape.table\
{
--w-pick: 36px;--w-rank: 64px;--w-title: minmax(0, 1fr);--w-year: 56px;--w-similarity: 88px;--w-region: 44px;--w-core: 4\
8px;
--w-sources: 80px;--w-doi: 160px;display:flex;flex-direction:column;height:420px}.queryscape.table .bar{display:flex;fle\
x-wrap:wrap;
align-items:center;gap:8px;padding-bottom:8px}.queryscape.table .field{flex:1 1 180px;max-width:280px;height:28px;paddin\
g:0
10px;border:1px solid var(--line);border-radius:6px;background:var(--paper)}.queryscape.table .field::placeholder{color:\
var(--faint);
opacity:1}.queryscape.table .chips{display:flex;flex-wrap:wrap;gap:4px;margin-right:auto}.queryscape.table .chip{display\
:flex;
align-items:center;gap:6px;height:28px;padding:0 10px;border:1px solid var(--line);border-radius:14px;background:none;cu\
rsor:pointer;
white-space:nowrap;transition:border-color .12s}.queryscape.table .chip:hover:enabled{border-color:var(--accent)}.querys\
cape.table
.chip .number{font-size:12px;color:var(--faint)}.queryscape.table .chip[aria-pressed=true]{border-color:var(--accent);ba\
ckground:color-mix(in
srgb,var(--accent) 10%,var(--paper));font-weight:600}.queryscape.table .grid-frame{position:relative;flex:1;min-height:0\
;
border:1px solid var(--line);border-radius:8px;overflow:hidden}.queryscape.table .grid{position:absolute;inset:0;overflo\
w:auto;
scrollbar-width:thin}.queryscape.table .grid:focus-visible{outline-offset:-2px;border-radius:8px}.queryscape.table .grid\
-head{
position:sticky;z-index:1;top:0;display:grid;grid-template-columns:var(--columns);height:32px;border-bottom:1px solid va\
r(--line);
background:var(--wash);font-size:12px;color:var(--faint)}.queryscape.table .grid-space{position:relative}.queryscape.tab\
le[aria-busy=true]
.grid-space:before{content:"";position:absolute;inset:9px 12px;height:320px}.queryscape.table .line{position:absolute;to\
p:0;
left:0;right:0;display:grid;grid-template-columns:var(--columns);height:32px;border-bottom:1px solid color-mix(in srgb,v\
ar(--line)
60%,transparent);font-size:14px;cursor:pointer;contain:strict}.queryscape.table .line:hover{background:var(--wash)}.quer\
yscape.table
.line[aria-selected=true]{background:color-mix(in srgb,var(--accent) 7%,var(--paper))}.queryscape.table .line.focused{ba\
ckground:color-mix(in
srgb,var(--accent) 14%,var(--paper));box-shadow:inset 3px 0 0 var(--accent)}.queryscape.table .grid:focus-visible .line.\
active{
outline:2px solid var(--accent);outline-offset:-2px}.queryscape.table .cell{min-width:0;padding:0 8px;overflow:hidden;li\
ne-height:31px;
white-space:nowrap;text-overflow:ellipsis}.queryscape.table .cell:is(.rank,.year,.similarity,.sources){text-align:right}\

.queryscape.table .grid-head .cell{display:flex;align-items:center}.queryscape.table .grid-head .cell:is(.rank,.year,.si\
milarity,
.sources){justify-content:end}.queryscape.table .cell:is(.region,.core,.pick){display:flex;align-items:center;justify-co\
ntent:center;
padding:0}.queryscape.table .line .cell:is(.rank,.year,.sources){color:var(--faint)}.queryscape.table .line .cell.retrac\
ted{
box-shadow:inset 3px 0 var(--warning)}.queryscape.table .sort{position:relative;height:24px;padding:0 4px;margin:0 -4px;\

border:0;border-radius:4px;background:none;line-height:24px;cursor:pointer}.queryscape.table .region .sort,.queryscape.t\
able
.core .sort{margin:0}.queryscape.table .sort:hover{color:var(--accent)}.queryscape.table [aria-sort$=ending] .sort{color\
:var(--ink);
font-weight:600}.queryscape.table [aria-sort$=ending] .sort:after{position:absolute;left:calc(100% - 4px);font-size:10px\
}
.queryscape.table [aria-sort=ascending] .sort:after{content:"↑"}.queryscape.table [aria-sort=descending] .sort:after{con\
tent:"\\
↓"}.queryscape.table .tick{width:14px;height:14px;border:1.5px solid var(--grey);border-radius:4px}.queryscape.table .li\
ne:hover
.tick{border-color:var(--accent)}.queryscape.table .pick.on .tick{position:relative;border-color:var(--accent);backgroun\
d:var(--accent)}
.queryscape.table .pick.on .tick:after{content:"";position:absolute;left:3px;top:0;width:3px;height:6px;border:solid var\
(--paper);
border-width:0 2px 2px 0;transform:rotate(45deg)}.queryscape.table .empty{position:absolute;inset:33px 0 0;display:grid;\

place-content:center;padding:16px;text-align:center;color:var(--faint)}.queryscape.table .foot{display:flex;align-items:\
center;
gap:16px;height:28px;padding:0 2px;font-size:12px;color:var(--faint);white-space:nowrap}.queryscape.table .picked-note{d\
isplay:flex;
gap:8px}.queryscape.table .beyond{margin-left:auto}@container (max-width: 900px){.queryscape.table .grid{--w-sources: 76\
px;
--w-similarity: 84px;--w-doi: 48px}.queryscape.table .doi a{font-size:0}.queryscape.table .doi a[href]:before{content:"↗\
";
padding:0 6px;font-size:14px}.queryscape.table .bar .field{max-width:none}.queryscape.table .chips{order:1;flex-basis:10\
0%}}
@container (max-width: 760px){.queryscape.table .grid{--w-pick: 30px;--w-rank: 52px;--w-year: 48px;--w-similarity: 76px;\

--w-region: 34px;--w-core: 40px;--w-sources: 68px;--w-doi: 40px}.queryscape.table .cell{padding:0 6px}.queryscape.table \
.grid-head{
font-size:11px}}@container (max-width: 600px){.queryscape.table :is(.grid-head,.grid-space){min-width:640px}.queryscape.\
scores
.recall .small{font-size:10px}}.queryscape.record{height:var(--record-height, 560px);font-size:14px}.queryscape.record .\
frame{
height:100%;overflow:hidden;border:1px solid var(--line);border-radius:8px;background:var(--paper)}.queryscape.record .h\
int{
display:grid;place-content:center;height:100%;padding:24px;text-align:center;color:var(--faint)}.queryscape.record .core\
-list{
height:100%;padding:12px 8px 8px;overflow-y:auto;scrollbar-width:thin}.queryscape.record .core-heading{margin:0 8px;font\
-size:14px;
font-weight:600;line-height:20px}.queryscape.record .core-note{margin:0 8px 8px;font-size:12px;line-height:16px;color:va\
r(--faint)}
.queryscape.record .core-items button{display:grid;grid-template-columns:14px 1fr;column-gap:8px;width:100%;padding:5px \
8px;
border:0;border-radius:6px;background:none;text-align:start;cursor:pointer;align-items:start}.queryscape.record .core-it\
ems
button:hover:enabled{background:var(--wash)}.queryscape.record .core-items button:disabled{opacity:1;cursor:default}.que\
ryscape.record
.core-items button:focus-visible{outline-offset:-2px}.queryscape.record .core-items .mark{margin-top:5px}.queryscape.rec\
ord
.core-title{display:-webkit-box;overflow:hidden;-webkit-box-orient:vertical;-webkit-line-clamp:2;font-size:13px;line-hei\
ght:17px}
.queryscape.record .core-about{grid-column:2;font-size:12px;line-height:16px;color:var(--faint);font-variant-numeric:tab\
ular-nums}
.queryscape.record .record-body{height:100%;padding:12px 16px 16px;overflow-y:auto;scrollbar-width:thin}.queryscape.reco\
rd
.top{display:flex;align-items:center;gap:6px;height:24px;font-size:12px;color:var(--faint)}.queryscape.record .role{font\
-weight:600;
color:var(--ink)}.queryscape.record .role+span{overflow:hidden;white-space:nowrap;text-overflow:ellipsis}.queryscape.rec\
ord
.close{flex:none;width:24px;height:24px;margin:0 -6px 0 auto;padding:0;border:0;border-radius:6px;background:none;font-s\
ize:18px;
line-height:22px;color:var(--faint);cursor:pointer}.queryscape.record .close:hover{background:var(--wash);color:var(--in\
k)}
.queryscape.record .title{margin:4px 0;font-size:16px;font-weight:600;line-height:22px;overflow-wrap:anywhere}.queryscap\
e.record
.meta{display:flex;flex-wrap:wrap;column-gap:12px;min-height:20px;color:var(--faint)}.queryscape.record .meta :empty{dis\
play:none}
.queryscape.record .meta a{overflow:hidden;max-width:100%;white-space:nowrap;text-overflow:ellipsis}.queryscape.record .\
part{
margin-top:12px}.queryscape.record .retracted-note{width:fit-content;margin-top:4px;padding:0 8px;border:1px solid var(-\
-warning);
border-radius:6px;font-size:12px;font-weight:600;line-height:20px}.queryscape.record .facts{margin:0}.queryscape.record \
.facts>
div{display:grid;grid-template-columns:112px minmax(0,1fr);column-gap:8px;padding:2px 0}.queryscape.record .facts dt{col\
or:var(--faint)}
.queryscape.record .facts dd{margin:0;overflow-wrap:anywhere}@container (max-width: 360px){.queryscape.record .facts>div\
{
grid-template-columns:minmax(0,1fr)}}.queryscape.record h3{margin-bottom:4px;font-size:12px;font-weight:600;line-height:\
16px;
color:var(--faint)}.queryscape.record .abstract{max-height:240px;overflow-y:auto;overflow-wrap:anywhere;scrollbar-width:\
thin}
.queryscape.record .abstract.clamped{display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:6;overflow:hidde\
n}
.queryscape.record .abstract.none{color:var(--faint)}.queryscape.record .why li{display:grid;grid-template-columns:12px \
112px
minmax(0,1fr);align-items:baseline;column-gap:8px;padding:2px 0}@container (max-width: 360px){.queryscape.record .why li\
{
grid-template-columns:12px minmax(0,1fr);padding:3px 0}.queryscape.record .why-text{grid-column:2;font-size:12.5px;line-\
height:1.4}}
.queryscape.record .why .mark.undefined{align-self:start;margin-top:9px}.queryscape.record .why-text{color:var(--faint);\

overflow-wrap:anywhere}.queryscape.record .nearest button{display:grid;grid-template-columns:40px 12px minmax(0,1fr) aut\
o;
align-items:center;column-gap:8px;width:calc(100% + 16px);height:28px;margin:0 -8px;padding:0 8px;border:0;border-radius\
:6px;
background:none;text-align:left;cursor:pointer}.queryscape.record .nearest button:hover:enabled{background:var(--wash)}.\
queryscape.record
.nearest button:focus-visible{outline-offset:-2px}.queryscape.record .nearest button:disabled{opacity:1;cursor:default}.\
queryscape.record
.near-title{overflow:hidden;white-space:nowrap;text-overflow:ellipsis}.queryscape.record .nearest button:disabled .near-\
title{
color:var(--faint)}.queryscape.record :is(.near-similarity,.near-year){color:var(--faint)}.queryscape.record [aria-busy=\
true]
:is(.abstract,.why,.nearest){min-height:112px;max-height:112px}.queryscape.record [aria-busy=true] .nearest{min-height:2\
72px;
max-height:272px}.queryscape.record [aria-busy=true] .abstract{color:transparent}.queryscape.record [aria-busy=true] :is\
(.why
li,.nearest li,.link){visibility:hidden}.queryscape .hint-note{display:flex;flex:none;align-items:flex-start;gap:8px;mar\
gin:4px
0;padding:3px 3px 3px 10px;border-left:3px solid var(--accent);border-radius:0 6px 6px 0;background:color-mix(in srgb,va\
r(--accent)
8%,var(--paper));font-size:13px;line-height:18px}.queryscape .hint-note span{flex:1;padding:3px 0}.queryscape .hint-note\

.close{flex:none;width:24px;height:24px;padding:0;border:0;border-radius:6px;background:none;color:inherit;font-size:16p\
x;
line-height:24px;cursor:pointer}.queryscape .hint-note .close:hover{background:color-mix(in srgb,var(--ink) 10%,transpar\
ent)}
@media(prefers-reduced-motion:reduce){.queryscape:is(.scores,.table,.record) *,.queryscape.table .grid-space:before{anim\
ation:none!important;
transition:none!important}}.queryscape.overlay{--ink: var(--st-text-color);--paper: var(--st-background-color);--accent:\
 var(--st-primary-color);--line:
color-mix(in srgb, var(--ink) 18%, var(--paper));--soft: color-mix(in srgb, var(--ink) 70%, var(--paper));box-sizing:bor\
der-box;
color:var(--ink);font:400 13px/1.4 var(--st-font);font-variant-numeric:tabular-nums}.queryscape.overlay *,.queryscape.ov\
erlay
*:before{box-sizing:border-box}.queryscape.overlay :is(p,ul){margin:0;padding:0;list-style:none}.queryscape.overlay :foc\
us-visible{
outline:2px solid var(--accent);outline-offset:1px}.queryscape.overlay .overlay-stage{position:relative;height:min(var(-\
-height,
620px),72vh,120vw);min-height:300px;border:1px solid var(--line);border-radius:11px;overflow:hidden;background-color:var\
(--paper);
transition:background-color 1ms}.queryscape.overlay .overlay-canvas{position:absolute;inset:0;width:100%;height:100%;cur\
sor:grab;
touch-action:pan-y}.queryscape.overlay .overlay-canvas:focus-visible{outline-offset:-3px;border-radius:10px}.queryscape.\
overlay
.overlay-canvas.dragging{cursor:grabbing}.queryscape.overlay .hover-card{position:absolute;left:0;top:0;max-width:min(34\
0px,80%);
padding:8px 11px;border:1px solid var(--line);border-radius:8px;background:var(--paper);box-shadow:0 4px 16px #00000029;\

pointer-events:none}.queryscape.overlay .card-title{font-weight:600;overflow-wrap:anywhere}.queryscape.overlay .card-fac\
ts{
color:var(--soft);font-size:12.5px;margin-top:3px}.queryscape.overlay .overlay-legend{display:flex;flex-wrap:wrap;gap:3p\
x
12px;margin:8px 0 6px}.queryscape.overlay .overlay-legend li{display:inline-flex;align-items:center;max-width:100%}.quer\
yscape.overlay
.overlay-legend canvas{width:15px;height:15px;flex:none}.queryscape.overlay .overlay-legend button{font:inherit;color:in\
herit;
background:none;border:0;border-radius:6px;cursor:pointer;padding:2px 5px}.queryscape.overlay .entry{display:inline-flex\
;
align-items:center;gap:5px;text-align:start;min-width:0;overflow-wrap:anywhere}.queryscape.overlay .entry[aria-pressed=f\
alse]{
color:var(--soft);text-decoration:line-through}.queryscape.overlay .entry b{font-weight:600;margin-inline-start:2px}.que\
ryscape.overlay
.only{font-size:12px!important;color:var(--soft)!important}.queryscape.overlay .overlay-legend .only[aria-pressed=true]{\

color:var(--ink)!important;font-weight:600;text-decoration:underline}.queryscape.overlay .overlay-legend button:hover{ba\
ckground:color-mix(in
srgb,var(--accent) 10%,transparent)}.queryscape.overlay .overlay-foot{display:flex;flex-wrap:wrap;gap:6px;align-items:ce\
nter}
.queryscape.overlay .overlay-foot .label{opacity:.75;margin-inline-end:2px}.queryscape.overlay .quiet{font:inherit;color\
:inherit;
background:none;border:1px solid var(--line);border-radius:6px;padding:1px 9px;cursor:pointer}.queryscape.overlay .quiet\
:hover{
border-color:var(--accent);color:var(--accent)}.queryscape.overlay .quiet[data-file=home]{margin-inline-start:auto}.quer\
yscape.versions_text{
--ink: var(--st-text-color);--paper: var(--st-background-color);--accent: var(--st-primary-color);--line: color-mix(in s\
rgb,
var(--ink) 18%, var(--paper));--soft: color-mix(in srgb, var(--ink) 70%, var(--paper));container:versions-text / inline-\
size;
box-sizing:border-box;color:var(--ink);font:400 13.5px/1.5 var(--st-font)}.queryscape.versions_text *,.queryscape.versio\
ns_text
*:before{box-sizing:border-box}.queryscape.versions_text :is(h2,p,ol,pre){margin:0;padding:0}.queryscape.versions_text h\
2{
font-size:14px;font-weight:600;overflow-wrap:anywhere}.queryscape.versions_text :focus-visible{outline:2px solid var(--a\
ccent);
outline-offset:1px}.queryscape.versions_text .texts{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1fr);gap:1\
6px}
.queryscape.versions_text header{display:flex;align-items:center;justify-content:space-between;gap:8px;margin-bottom:5px\
}
.queryscape.versions_text .side-0 h2{border-bottom:3px solid var(--first)}.queryscape.versions_text .side-1 h2{border-bo\
ttom:3px
solid var(--second)}.queryscape.versions_text .column{display:flex;flex-direction:column}.queryscape.versions_text .colu\
mn
.wording{flex:1}.queryscape.versions_text .wording{min-height:96px;max-height:min(46vh,460px);overflow:auto;padding:9px \
11px;
border:1px solid var(--line);border-radius:8px;white-space:pre-wrap;overflow-wrap:anywhere;position:relative;font:13px/1\
.6
var(--st-code-font, ui-monospace, monospace);color:var(--ink)}.queryscape.versions_text .inline{display:none}.queryscape\
.versions_text
.none{color:var(--soft);font-family:var(--st-font)}.queryscape.versions_text :is(del,ins){padding:0 2px;border-radius:3p\
x}
.queryscape.versions_text del{background:color-mix(in srgb,var(--first) 15%,transparent);text-decoration:line-through 1.\
5px
var(--first)}.queryscape.versions_text ins{background:color-mix(in srgb,var(--second) 17%,transparent);text-decoration:u\
nderline
1.5px var(--second);text-underline-offset:3px}.queryscape.versions_text del:before{content:"−";color:var(--first);font-w\
eight:700;
display:inline-block;padding-inline-end:1px}.queryscape.versions_text ins:before{content:"+";color:var(--second);font-we\
ight:700;
display:inline-block;padding-inline-end:1px}.queryscape.versions_text .lit{outline:2px solid var(--accent);border-radius\
:3px}
.queryscape.versions_text .quiet{font:inherit;font-size:13px;color:inherit;background:none;border:1px solid var(--line);\

border-radius:6px;padding:1px 9px;cursor:pointer}.queryscape.versions_text .quiet:hover{border-color:var(--accent);color\
:var(--accent)}
.queryscape.versions_text .summary{margin:14px 0 5px;font-weight:600}.queryscape.versions_text .changes{margin:0 0 16px;\

list-style:none}.queryscape.versions_text .changes li{display:flex;border-inline-start:3px solid var(--line)}.queryscape\
.versions_text
.changes li:is([data-kind=removed],[data-kind=gone-concept]){border-color:var(--first)}.queryscape.versions_text .change\
s
li:is([data-kind=added],[data-kind=new-concept]){border-color:var(--second)}.queryscape.versions_text .change{font:inher\
it;
color:inherit;text-align:start;background:none;border:0;padding:3px 10px;cursor:pointer;overflow-wrap:anywhere;border-ra\
dius:4px}
.queryscape.versions_text .change:hover{background:color-mix(in srgb,var(--accent) 9%,transparent)}.queryscape.versions_\
text
.scroll{overflow-x:auto}.queryscape.versions_text .readings{border-collapse:collapse;font-variant-numeric:tabular-nums}.\
queryscape.versions_text
.readings :is(th,td){text-align:start;font-weight:400;padding:3px 18px 3px 0;border-bottom:1px solid var(--line);vertica\
l-align:top;
overflow-wrap:anywhere}.queryscape.versions_text .readings th[scope=col]{font-weight:600}.queryscape.versions_text .read\
ings
th[scope=row]{color:var(--soft);white-space:nowrap}@container versions-text (max-width: 640px){.queryscape.versions_text\

.texts{grid-template-columns:minmax(0,1fr);gap:4px}.queryscape.versions_text .column .wording{display:none}.queryscape.v\
ersions_text
.inline{display:block;margin-top:6px}}.queryscape.versions_strip{--ink: var(--st-text-color);--paper: var(--st-backgroun\
d-color);
--accent: var(--st-primary-color);--line: color-mix(in srgb, var(--ink) 18%, var(--paper));--soft: color-mix(in srgb, va\
r(--ink)
66%, var(--paper));color:var(--ink);font:400 12px/1.4 var(--st-font);font-variant-numeric:tabular-nums}.queryscape.versi\
ons_strip
.line{display:flex;flex-wrap:wrap;align-items:baseline;gap:2px 12px}.queryscape.versions_strip :is(h2,p,ol){margin:0;pad\
ding:0;
list-style:none}.queryscape.versions_strip h2{font-size:13px;font-weight:600}.queryscape.versions_strip .about{color:var\
(--soft);
flex:1}.queryscape.versions_strip .quiet{font:inherit;color:inherit;background:none;border:1px solid var(--line);border-\
radius:6px;
min-height:26px;padding:1px 9px;cursor:pointer}.queryscape.versions_strip .quiet:hover{border-color:var(--accent);color:\
var(--accent)}
.queryscape.versions_strip .plot{position:relative;height:132px}.queryscape.versions_strip .lines{position:absolute;inse\
t:0;
width:100%;height:132px}.queryscape.versions_strip .axis{fill:none;stroke:var(--line)}.queryscape.versions_strip .axis-l\
abel{
fill:var(--soft);font-size:11px}.queryscape.versions_strip .link{stroke:var(--line);stroke-width:1.5}.queryscape.version\
s_strip
.link.opened{stroke:var(--accent)}.queryscape.versions_strip li{position:absolute;width:0;height:0}.queryscape.versions_\
strip
li button{position:absolute;left:-12px;top:-12px;display:flex;align-items:center;height:24px;padding:0 2px 0 6px;border:\
0;
border-radius:12px;background:none;color:var(--ink);font:inherit;white-space:nowrap;cursor:pointer}.queryscape.versions_\
strip
li.name-left button{left:auto;right:-12px;flex-direction:row-reverse;padding:0 6px 0 2px}.queryscape.versions_strip .dot\
{
position:relative;z-index:1;flex:none;width:12px;height:12px;border:2px solid var(--soft);border-radius:50%;background:v\
ar(--paper)}
.queryscape.versions_strip .dot-name{padding:0 3px;border-radius:3px;background:var(--paper);line-height:1.15;color:var(\
--soft)}
.queryscape.versions_strip button:hover .dot{border-color:var(--accent)}.queryscape.versions_strip button:hover .dot-nam\
e{
color:var(--accent)}.queryscape.versions_strip [aria-current=true] .dot{border-color:var(--accent);background:var(--acce\
nt)}
.queryscape.versions_strip [aria-current=true] .dot-name{color:var(--ink);font-weight:600}.queryscape.versions_strip :fo\
cus-visible{
outline:2px solid var(--accent);outline-offset:1px}.queryscape.workbench{--ink: var(--st-text-color, #1b1f24);--paper: v\
ar(--st-background-color, #ffffff);--tint: var(--st-secondary-background-color,
#f5f6f8);--accent: var(--st-primary-color, #1f4e79);--faint: color-mix(in srgb, var(--ink) 70%, var(--paper));--line: co\
lor-mix(in
srgb, var(--ink) 15%, var(--paper));--edge: color-mix(in srgb, var(--ink) 26%, var(--paper));--wash: color-mix(in srgb, \
var(--ink)
4%, var(--paper));--relevant: var(--role-relevant, #0068b8);--core: var(--role-core, #d55e00);--core-edge: var(--role-co\
re-edge,
#3a1500);--grey: var(--role-not-relevant, #98a1ad);--warning: var(--role-warning, #b26a00);--error-ink: color-mix(in srg\
b,
var(--core) 78%, black);--phrase: #00756a;--field-ink: #7b3a75;--heading-ink: #735800;--near-ink: #5b3fb5;--mono: var(--\
st-code-font,
ui-monospace, "SF Mono", "Cascadia Mono", Consolas, "Noto Sans Mono", "Liberation Mono", monospace);box-sizing:border-bo\
x;
container:workbench / inline-size;width:100%;color:var(--ink);background-color:var(--paper);transition:background-color \
1ms;
font:400 13px/20px var(--st-font, system-ui, sans-serif);font-variant-numeric:tabular-nums}.queryscape.workbench[data-th\
eme=dark]{
--relevant: var(--role-relevant, #5a9ef5);--core: var(--role-core, #ff7a33);--core-edge: var(--role-core-edge, #ffe6d6);\

--grey: var(--role-not-relevant, #69727f);--warning: var(--role-warning, #ffc14d);--error-ink: var(--core);--phrase: #4f\
d1bd;
--field-ink: #d29fd8;--heading-ink: #e0c56a;--near-ink: #b7a4ff}.queryscape.workbench *,.queryscape.workbench *:before,.\
queryscape.workbench
*:after{box-sizing:border-box}.queryscape.workbench :is(h2,h3,h4,p,ul,ol,dl,dd,figure,pre){margin:0;padding:0;list-style\
:none}
.queryscape.workbench :is(button,input,select,textarea){font:inherit;font-variant-numeric:inherit;color:inherit;margin:0\
}
.queryscape.workbench :focus-visible{outline:2px solid var(--accent);outline-offset:1px}.queryscape.workbench :is(.quiet\
,
.primary){height:28px;padding:0 11px;border:1px solid var(--edge);border-radius:6px;background:var(--paper);cursor:point\
er;
white-space:nowrap;flex:none}.queryscape.workbench .quiet:hover:not([aria-disabled=true]){border-color:var(--accent);col\
or:var(--accent)}
.queryscape.workbench .primary{border-color:var(--accent);background:var(--accent);color:var(--paper);font-weight:600;pa\
dding:0
16px}.queryscape.workbench .primary:hover:not([aria-disabled=true]){filter:brightness(1.08)}.queryscape.workbench button\
:is(:disabled,
[aria-disabled=true]){opacity:.45;cursor:default}.queryscape.workbench .close{width:22px;height:22px;padding:0;border:0;\

border-radius:50%;background:none;cursor:pointer;line-height:1;font-size:15px}.queryscape.workbench .close:hover{backgro\
und:var(--wash)}
.queryscape.workbench .field{height:28px;padding:0 8px;border:1px solid var(--edge);border-radius:6px;background:var(--p\
aper);
max-width:100%;text-overflow:ellipsis}.queryscape.workbench select.field{padding-right:2px;cursor:pointer}.queryscape.wo\
rkbench
input[type=number].field{width:96px}.queryscape.workbench .labelled{display:inline-flex;align-items:center;gap:7px;min-w\
idth:0;
color:var(--faint);white-space:nowrap}.queryscape.workbench .labelled>:is(.field,output){color:var(--ink);min-width:0}.q\
ueryscape.workbench
.choice{display:inline-flex;flex:none;border:1px solid var(--edge);border-radius:6px;overflow:hidden}.queryscape.workben\
ch
.option{height:26px;padding:0 11px;border:0;background:none;cursor:pointer}.queryscape.workbench .option+.option{border-\
left:1px
solid var(--edge)}.queryscape.workbench .option:hover{color:var(--accent)}.queryscape.workbench .option:focus-visible{ou\
tline-offset:-2px;
border-radius:5px}.queryscape.workbench .option[aria-pressed=true]{background:color-mix(in srgb,var(--accent) 14%,var(--\
paper));
color:var(--ink);font-weight:600;box-shadow:inset 0 -2px 0 var(--accent)}.queryscape.workbench input[type=range]:not([da\
ta-setting]){
width:120px;accent-color:var(--accent);cursor:pointer}.queryscape.workbench .place{max-width:100%;padding:0 5px;border:0\
;
border-radius:4px;background:var(--tint);font:12px/20px var(--mono);text-align:start;overflow:hidden;text-overflow:ellip\
sis;
white-space:nowrap;cursor:pointer}.queryscape.workbench .place:hover{color:var(--accent);text-decoration:underline}.quer\
yscape.workbench
.badge{flex:none;padding:0 7px;border:1px solid var(--warning);border-radius:9px;font-size:11.5px;line-height:17px;white\
-space:nowrap}
.queryscape.workbench .switch{position:relative;flex:none;width:26px;height:16px;padding:0;border:1.5px solid var(--fain\
t);
border-radius:8px;background:var(--paper);cursor:pointer}.queryscape.workbench .switch:after{content:"";position:absolut\
e;
left:2px;top:2px;width:9px;height:9px;border-radius:50%;background:var(--faint);transition:transform 90ms}.queryscape.wo\
rkbench
.switch[aria-checked=true]{border-color:var(--accent);background:var(--accent)}.queryscape.workbench .switch[aria-checke\
d=true]:after{
background:var(--paper);transform:translate(10px)}.queryscape.workbench .bar-line{display:flex;flex-wrap:wrap;align-item\
s:center;
justify-content:space-between;gap:8px 16px;padding-bottom:8px}.queryscape.workbench .bar-group{display:flex;flex-wrap:wr\
ap;
align-items:center;gap:8px;min-width:0}.queryscape.workbench .bar-group.end{margin-left:auto;justify-content:flex-end}.q\
ueryscape.workbench
.bar-group select{max-width:220px}.queryscape.workbench .unneeded{visibility:hidden}.queryscape.workbench .beside{color:\
var(--faint);
font-size:12px;margin-left:8px}.queryscape.workbench .working{display:inline-flex;align-items:center;gap:6px;color:var(-\
-faint);
font-size:12px}.queryscape.workbench .working:not(.on){margin-right:-8px}.queryscape.workbench .working.on:before{conten\
t:"";
width:7px;height:7px;border-radius:50%;background:var(--accent);animation:workbench-works 1.1s ease-in-out infinite alte\
rnate}
@keyframes workbench-works{0%{opacity:.2}to{opacity:1}}.queryscape.workbench .busy-bar{position:relative;height:2px;marg\
in-bottom:2px;
border-radius:1px;overflow:hidden}.queryscape.workbench .busy-bar.known{background:var(--line)}.queryscape.workbench .bu\
sy-bar.known:before{
content:"";position:absolute;inset:0;background:var(--accent);transform:scaleX(var(--share, 0));transform-origin:left;tr\
ansition:transform
.2s}.queryscape.workbench .editor{position:relative;height:84px}.queryscape.workbench :is(.mirror,textarea.text){positio\
n:absolute;
inset:0;width:100%;height:100%;margin:0;padding:8px 12px;border:1px solid transparent;border-radius:8px;font:400 14px/22\
px
var(--mono);font-variant-ligatures:none;letter-spacing:0;tab-size:4;text-align:start;white-space:pre-wrap;overflow-wrap:\
anywhere;
word-break:normal;scrollbar-gutter:stable;scrollbar-width:thin}.queryscape.workbench .editor .mirror{overflow:hidden;bor\
der-color:var(--edge);
background:var(--paper);pointer-events:none}.queryscape.workbench .editor textarea.text{overflow-y:auto;resize:none;back\
ground:transparent;
color:transparent;caret-color:var(--ink);outline-offset:-1px}.queryscape.workbench textarea.text::placeholder{color:var(\
--faint);
opacity:1}.queryscape.workbench textarea.text::selection{background:color-mix(in srgb,var(--accent) 30%,transparent);col\
or:transparent}
.queryscape.workbench .mirror :is(.is-operator,.is-bracket){color:var(--faint)}.queryscape.workbench .mirror .is-operato\
r{
color:var(--relevant);font-weight:600}.queryscape.workbench .mirror .is-phrase{color:var(--phrase)}.queryscape.workbench\

.mirror .is-field{color:var(--field-ink)}.queryscape.workbench .mirror :is(.is-heading,.is-range){color:var(--heading-in\
k)}
.queryscape.workbench .mirror .is-near{color:var(--near-ink)}.queryscape.workbench .mirror .is-comment{color:var(--faint\
);
font-style:italic}.queryscape.workbench .mirror .is-untestable{color:var(--faint);text-decoration:underline dotted 1.5px\

var(--faint);text-underline-offset:4px}.queryscape.workbench .mirror .has-hint{text-decoration:underline wavy 1px var(--\
grey);
text-underline-offset:4px}.queryscape.workbench .mirror .has-warning{text-decoration:underline wavy 1.3px var(--warning)\
;
text-underline-offset:4px}.queryscape.workbench .mirror .has-error{text-decoration:underline wavy 1.5px var(--core);text\
-underline-offset:4px}
.queryscape.workbench .mirror .is-struck{color:var(--faint);text-decoration:line-through 1.5px}.queryscape.workbench .mi\
rror
.marked{background:color-mix(in srgb,var(--accent) 20%,transparent);border-radius:2px}.queryscape.workbench.head>.note{d\
isplay:flex;
flex-wrap:wrap;justify-content:space-between;gap:0 16px;min-height:20px;padding:3px 2px 0;color:var(--faint);font-size:1\
2px;
line-height:17px}.queryscape.workbench .message{display:flex;align-items:flex-start;justify-content:space-between;gap:8p\
x;
min-height:20px;padding:1px 2px 0;font-size:12px;line-height:19px}.queryscape.workbench .message.error>span:before{conte\
nt:"";
display:inline-block;width:8px;height:8px;margin-right:6px;border-radius:1px;background:var(--core)}.queryscape.workbenc\
h
.message>span{font-weight:600}.queryscape.workbench .message .close{height:19px}.queryscape.workbench .message.problems{\

align-items:center;justify-content:flex-start;flex-wrap:wrap;padding:4px 2px}.queryscape.workbench .problems .fixed{flex\
-basis:100%;
max-height:4.5em;overflow:auto;color:var(--ink);font-size:12.5px}.queryscape.workbench .problems .fixed code{font-family\
:var(--mono);
overflow-wrap:anywhere}.queryscape.workbench .untestable{min-width:0;overflow:hidden;color:var(--faint);font-size:12px;w\
hite-space:nowrap;
text-overflow:ellipsis}.queryscape.workbench .section-head{display:flex;align-items:baseline;justify-content:space-betwe\
en;
gap:12px;height:24px}.queryscape.workbench h2{font-size:14px;font-weight:600;line-height:20px}.queryscape.workbench .tre\
e-frame{
position:relative;height:320px;border:1px solid var(--line);border-radius:8px;overflow:hidden}.queryscape.workbench .tre\
e{
position:absolute;inset:0;overflow:auto;scrollbar-width:thin}.queryscape.workbench .tree:focus-visible{outline-offset:-2\
px;
border-radius:8px}.queryscape.workbench .tree-row{display:grid;grid-template-columns:38px minmax(190px,1fr) 50px 54px 60\
px
40px 48px 58px 52px 60px;min-width:660px}.queryscape.workbench .tree-head{position:sticky;z-index:2;top:0;height:44px;bo\
rder-bottom:1px
solid var(--line);background:var(--tint);color:var(--faint);font-size:12px;line-height:15px}.queryscape.workbench .tree-\
head
.cell{align-self:end;padding-bottom:6px}.queryscape.workbench .tree-head .number{cursor:help}.queryscape.workbench .tree\
-space{
position:relative;min-width:660px}.queryscape.workbench .tree-row.line{position:absolute;top:0;left:0;right:0;height:32p\
x;
border-bottom:1px solid color-mix(in srgb,var(--line) 55%,transparent);line-height:31px;cursor:pointer;contain:strict}.q\
ueryscape.workbench
.tree-row.line:hover{background:var(--wash)}.queryscape.workbench .tree-row.current{background:color-mix(in srgb,var(--a\
ccent)
13%,var(--paper));box-shadow:inset 3px 0 0 var(--accent)}.queryscape.workbench .tree:focus-visible .tree-row.active{outl\
ine:2px
solid var(--accent);outline-offset:-3px}.queryscape.workbench .tree-row .cell{min-width:0;padding:0 5px}.queryscape.work\
bench
.tree-row.line .use{display:flex;align-items:center;justify-content:center;padding:0}.queryscape.workbench .tree-head .u\
se{
text-align:center}.queryscape.workbench .tree-row .number{position:relative;text-align:right;white-space:nowrap;overflow\
:hidden}
.queryscape.workbench .tree-head .number{white-space:normal}.queryscape.workbench .lists{cursor:pointer;text-decoration:\
underline
dotted;text-underline-offset:3px}.queryscape.workbench button.value{border:0;padding:0;background:none;color:inherit;fon\
t-family:inherit;
min-height:24px}.queryscape.workbench button.value[aria-disabled=true]{cursor:default;text-decoration:none}.queryscape.w\
orkbench
.number.none{color:var(--faint)}.queryscape.workbench .number.better{font-weight:600}.queryscape.workbench .number .bar{\

position:absolute;left:8px;right:6px;bottom:4px;height:3px}.queryscape.workbench .bar{display:block;height:4px}.querysca\
pe.workbench
.bar:before{content:"";display:block;margin-left:auto;width:calc(var(--share, 0) * 100%);height:100%;border-radius:1px;b\
ackground:var(--grey)}
.queryscape.workbench .tree-row.line .what{display:flex;align-items:center;gap:5px}.queryscape.workbench .node-rest{flex\
:1
1 0;min-width:0;overflow:hidden;color:var(--faint);font:12px/31px var(--mono);position:relative;top:1px;white-space:nowr\
ap;
text-overflow:ellipsis}.queryscape.workbench .node-rest:empty{display:none}.queryscape.workbench .block{flex:none;color:\
var(--faint);
font-size:12px;white-space:nowrap}.queryscape.workbench .node-words{min-width:30px;overflow:hidden;font:13px/31px var(--\
mono);
white-space:nowrap;text-overflow:ellipsis}.queryscape.workbench .node-words.kind-group{flex:none;min-width:0;font:600 13\
px/31px
var(--st-font, system-ui, sans-serif)}.queryscape.workbench .node-words.kind-heading,.queryscape.workbench .node-words.k\
ind-range{
color:var(--heading-ink)}.queryscape.workbench .node-words.kind-near{color:var(--near-ink)}.queryscape.workbench .off .n\
ode-words{
color:var(--faint);text-decoration:line-through}.queryscape.workbench .off .number{color:var(--faint)}.queryscape.workbe\
nch
.fold{flex:none;width:16px;height:20px;padding:0;border:0;background:none;cursor:pointer}.queryscape.workbench .fold:bef\
ore{
content:"";display:block;width:6px;height:6px;margin:0 auto;border:solid var(--faint);border-width:0 1.5px 1.5px 0;trans\
form:translateY(-1px)
rotate(45deg)}.queryscape.workbench [aria-expanded=false] .fold:before{transform:rotate(-45deg)}.queryscape.workbench .f\
old.none{
visibility:hidden}.queryscape.workbench .flags{display:flex;flex:none;gap:4px;margin-left:auto;max-width:62%;overflow:hi\
dden}
.queryscape.workbench .flag{flex:none;padding:0 6px;border:1px solid var(--edge);border-radius:8px;background:var(--pape\
r);
color:var(--faint);font:11px/15px var(--st-font, system-ui, sans-serif);white-space:nowrap}.queryscape.workbench .flag.w\
arns{
border-color:var(--warning);color:var(--ink)}.queryscape.workbench .tree-frame.empty .tree{visibility:hidden}.queryscape\
.workbench
.tree-frame.empty:after{content:"What each term brings and costs is shown here as soon as there is a search string.";pos\
ition:absolute;
inset:0;display:grid;place-content:center;padding:24px;text-align:center;color:var(--faint)}.queryscape.workbench .map-s\
tage{
position:relative;height:316px;border:1px solid var(--line);border-radius:8px;overflow:hidden}.queryscape.workbench .map\
-canvas{
position:absolute;inset:0;width:100%;height:100%}.queryscape.workbench .map-legend{display:flex;flex-wrap:wrap;gap:0 12p\
x;
margin-top:5px;font-size:12px;line-height:18px}.queryscape.workbench .map-legend li{display:inline-flex;align-items:cent\
er;
gap:4px;white-space:nowrap}.queryscape.workbench .map-legend b{font-weight:600}.queryscape.workbench .dot{flex:none;widt\
h:8px;
height:8px;border-radius:50%;background:var(--grey)}.queryscape.workbench .dot.absent{background:color-mix(in srgb,var(-\
-grey)
50%,var(--paper))}.queryscape.workbench .dot.accepted{background:var(--relevant)}.queryscape.workbench .dot.found{backgr\
ound:var(--core)}
.queryscape.workbench .dot.missed{border:2px solid var(--core);background:none}.queryscape.workbench .caption{color:var(\
--faint);
font-size:12px;line-height:16px;margin-top:2px}.queryscape.workbench .tabs{display:flex;flex-direction:column;height:var\
(--height,
612px)}@media(max-width:1180px){.queryscape.workbench .tabs{height:auto;max-height:var(--height, 612px)}}.queryscape.wor\
kbench
.tab-list{display:flex;flex:none;flex-wrap:wrap;border-bottom:1px solid var(--line)}.queryscape.workbench .tab{display:i\
nline-flex;
align-items:center;gap:4px;height:32px;padding:0 5px;border:0;border-radius:6px 6px 0 0;background:none;color:var(--fain\
t);
cursor:pointer}.queryscape.workbench .tab:hover{color:var(--ink)}.queryscape.workbench .tab:focus-visible{outline-offset\
:-2px}
.queryscape.workbench .tab[aria-selected=true]{color:var(--ink);font-weight:600;box-shadow:inset 0 -2px 0 var(--accent)}\

.queryscape.workbench .tab-number{min-width:20px;padding:0 5px;border-radius:9px;background:var(--tint);color:var(--fain\
t);
font-size:12px;font-weight:400;line-height:18px;text-align:center}.queryscape.workbench .tab-panel{flex:1;min-height:0;p\
adding:10px
2px 0;overflow:auto;scrollbar-width:thin}.queryscape.workbench .publication{overflow:hidden}.queryscape.workbench .publi\
cation>
.queryscape.record{height:100%}.queryscape.workbench :is(.corpus,.lines-of-search,.translations){margin-top:10px}.querys\
cape.workbench
.tab-panel:focus-visible{outline-offset:-2px;border-radius:6px}.queryscape.workbench .panel-line{display:flex;flex-wrap:\
wrap;
align-items:center;gap:8px 12px;margin-bottom:8px}.queryscape.workbench .nothing{max-width:68ch;padding:12px 2px;color:v\
ar(--faint)}
.queryscape.workbench .row{display:grid;grid-template-columns:104px minmax(0,720px) minmax(max-content,1fr);align-items:\
start;
justify-items:start;gap:4px 12px;padding:9px 2px;border-bottom:1px solid color-mix(in srgb,var(--line) 70%,transparent);\

content-visibility:auto;contain-intrinsic-size:auto 60px}.queryscape.workbench .row.finding{grid-template-columns:72px m\
inmax(0,560px)
minmax(0,220px) minmax(max-content,1fr)}.queryscape.workbench .row.suggestion{grid-template-columns:56px minmax(0,720px)\

minmax(max-content,1fr)}.queryscape.workbench .found-list .row{grid-template-columns:12px minmax(0,1fr)}.queryscape.work\
bench
.wording{width:100%;min-width:0;overflow-wrap:anywhere}.queryscape.workbench .wording strong{font-weight:600}.queryscape\
.workbench
.act{display:flex;flex-direction:column;align-items:flex-start;gap:2px;flex:none;max-width:300px}.queryscape.workbench .\
act
.quiet{max-width:100%;overflow:hidden;text-overflow:ellipsis}.queryscape.workbench .fix{display:flex;flex-direction:colu\
mn;
align-items:flex-start;gap:2px;max-width:100%}.queryscape.workbench .fix+.fix{margin-top:4px}.queryscape.workbench .effe\
ct{
color:var(--faint);font-size:12px;line-height:17px}.queryscape.workbench .severity{flex:none;font-size:12px}.queryscape.\
workbench
.severity{width:72px}.queryscape.workbench .severity:before{content:"";display:inline-block;width:8px;height:8px;margin-\
right:6px;
border-radius:50%;background:var(--grey)}.queryscape.workbench .severity.error:before{border-radius:1px;background:var(-\
-core)}
.queryscape.workbench .severity.warning:before{clip-path:polygon(50% 0,100% 100%,0 100%);border-radius:0;background:var(\
--warning)}
.queryscape.workbench .finding>.place{max-width:220px}.queryscape.workbench .row.finding.alike{grid-template-columns:72p\
x
minmax(0,1fr)}.queryscape.workbench .alike details{width:100%;min-width:0;margin:0}.queryscape.workbench .alike summary{\

width:auto;max-width:100%;padding:0 4px 0 16px;list-style:none;position:relative}.queryscape.workbench .alike summary::-\
webkit-details-marker{
display:none}.queryscape.workbench .alike summary:before{content:"";position:absolute;left:3px;top:6px;width:6px;height:\
6px;
border:solid var(--faint);border-width:0 1.5px 1.5px 0;transform:rotate(-45deg)}.queryscape.workbench .alike details[ope\
n]>
summary:before{transform:translateY(-1px) rotate(45deg)}.queryscape.workbench .alike summary:hover strong{color:var(--ac\
cent)}
.queryscape.workbench .alike-head{display:flex;flex-wrap:wrap;align-items:baseline;gap:0 8px}.queryscape.workbench .alik\
e-preview{
display:block;overflow:hidden;color:var(--faint);font:12px/20px var(--mono);white-space:pre;text-overflow:ellipsis}.quer\
yscape.workbench
.alike details[open] .alike-preview{visibility:hidden;height:6px}.queryscape.workbench .alike-list{max-height:440px;over\
flow:auto;
margin-left:16px;border-left:2px solid var(--line);padding:0 5px 0 10px;scrollbar-width:thin}.queryscape.workbench .alik\
e-list
li{display:grid;grid-template-columns:minmax(0,260px) minmax(0,1fr) max-content;align-items:center;justify-items:start;g\
ap:2px
12px;min-height:34px;padding:2px 0;content-visibility:auto;contain-intrinsic-size:auto 34px}.queryscape.workbench .alike\
-list
.act{grid-column:3;grid-row:1;align-items:flex-end;max-width:none}.queryscape.workbench .alike-list .fix{flex-direction:\
row-reverse;
align-items:center;gap:10px}.queryscape.workbench .alike-list .place{grid-column:1}.queryscape.workbench .weights{color:\
var(--faint)}
.queryscape.workbench .reason+.reason{margin-top:14px}.queryscape.workbench .reason h2{overflow-wrap:anywhere}.queryscap\
e.workbench
.best{display:flex;align-items:center;gap:10px;margin:4px 0;padding:6px 8px;border-radius:6px;background:var(--tint)}.qu\
eryscape.workbench
.best .wording{display:flex;flex:1;flex-direction:column}.queryscape.workbench .missed-title{display:flex;gap:8px;width:\
100%;
min-height:24px;padding:3px 4px;border:0;border-radius:4px;background:none;text-align:start;cursor:pointer}.queryscape.w\
orkbench
.missed-title:hover{background:var(--wash)}.queryscape.workbench .missed-title .mark{margin-top:5px}.queryscape.workbenc\
h
.missed.unfolded{border-radius:6px;background:var(--wash)}.queryscape.workbench .missed.unfolded .missed-title{font-weig\
ht:600}
.queryscape.workbench .missed .why{padding:0 8px 8px 21px;overflow-wrap:anywhere}.queryscape.workbench .missed .evidence\
{
color:var(--faint);font-size:12px;line-height:18px}.queryscape.workbench .link{min-height:24px;padding:0;border:0;backgr\
ound:none;
color:var(--accent);cursor:pointer;text-decoration:underline;text-underline-offset:2px}.queryscape.workbench .evidence{m\
argin-top:3px;
color:var(--faint);font-size:12px;line-height:17px}.queryscape.workbench .evidence li:before{content:"· "}.queryscape.wo\
rkbench
.rescues{margin-top:6px;border-left:2px solid var(--line);padding-left:10px}.queryscape.workbench .rescues li{display:fl\
ex;
align-items:center;gap:12px;padding:4px 0}.queryscape.workbench .rescues .wording{flex:1;display:flex;flex-direction:col\
umn}
.queryscape.workbench .mark{flex:none;width:9px;height:9px;border-radius:50%;border:2px solid var(--grey);background:var\
(--grey)}
.queryscape.workbench .mark.core-found{border-color:var(--core);background:var(--core)}.queryscape.workbench .mark.core-\
missed{
border-color:var(--core);background:none}.queryscape.workbench details{margin-top:10px}.queryscape.workbench .version-no\
te{
margin-top:8px;font-size:12px;line-height:17px;overflow-wrap:anywhere}.queryscape.workbench .version-note summary{min-he\
ight:24px;
padding:3px 2px;cursor:pointer}.queryscape.workbench .version-note ul{max-height:240px;overflow:auto}.queryscape.workben\
ch
summary{width:max-content;padding:2px 4px;border-radius:4px;cursor:pointer}.queryscape.workbench .found-list .row{align-\
items:baseline;
padding:4px 2px;contain-intrinsic-size:auto 29px}.queryscape.workbench .suggestion>.bar{flex:none;width:56px;height:5px;\

margin-top:8px}.queryscape.workbench .bar.strength:before{margin-left:0;background:var(--relevant)}.queryscape.workbench\

.term-head{display:flex;align-items:baseline;gap:8px}.queryscape.workbench .kind{color:var(--faint);font-size:12px}.quer\
yscape.workbench
.contexts{margin-top:3px;font-size:12px;line-height:18px}.queryscape.workbench .contexts li{display:grid;grid-template-c\
olumns:minmax(0,300px)
auto minmax(0,1fr);color:var(--faint);white-space:pre}.queryscape.workbench .contexts .before{overflow:hidden;text-align\
:right;
direction:rtl;text-overflow:ellipsis}.queryscape.workbench .contexts .after{overflow:hidden;text-overflow:ellipsis}.quer\
yscape.workbench
.contexts mark{padding:0 3px;background:none;color:var(--ink);font-weight:600}.queryscape.workbench .awaited{opacity:.55\
}
.queryscape.workbench .reshape-terms{display:grid;grid-template-columns:1fr 1fr;gap:16px}.queryscape.workbench :is(h2,h3\
,
h4){font-size:13px;font-weight:600;line-height:20px}.queryscape.workbench .reshape .note{margin-top:8px}.queryscape.work\
bench
.added-to{overflow:hidden;color:var(--faint);font-size:12px;white-space:nowrap;text-overflow:ellipsis}.queryscape.workbe\
nch
h4{color:var(--faint);font-size:12px}.queryscape.workbench .term-chips{display:flex;flex-wrap:wrap;gap:4px 6px;padding:4\
px
0}.queryscape.workbench .term-chips :is(del,ins){padding:0 6px;border-radius:4px;background:var(--tint);font:12px/20px v\
ar(--mono);
text-decoration-thickness:1px;overflow-wrap:anywhere}.queryscape.workbench .term-chips ins{text-decoration:none;box-shad\
ow:inset
0 0 0 1px var(--relevant)}.queryscape.workbench :is(.figures-table,.line-table){border-collapse:collapse;margin-top:8px}\

.queryscape.workbench :is(.figures-table,.line-table) :is(th,td){padding:4px 14px 4px 0;border-bottom:1px solid color-mi\
x(in
srgb,var(--line) 70%,transparent);font-weight:400;text-align:start;vertical-align:top}.queryscape.workbench thead th{col\
or:var(--faint);
font-size:12px}.queryscape.workbench .figures-table td{padding-right:8px;text-align:right}.queryscape.workbench .figures\
-table
thead th+th{padding-left:24px}.queryscape.workbench .figures-table td:nth-child(2n){padding-left:24px}.queryscape.workbe\
nch
.figures-table td.change{min-width:64px;padding-left:0;text-align:start}.queryscape.workbench .line-table{width:100%;tab\
le-layout:fixed}
.queryscape.workbench .line-table th:first-child{width:48px}.queryscape.workbench .line-table th:nth-child(3),.queryscap\
e.workbench
.line-table td.number{width:96px;text-align:right}.queryscape.workbench .line-table th:nth-child(4){width:92px}.querysca\
pe.workbench
.line-text .place{background:none;padding:0;white-space:pre-wrap;overflow-wrap:anywhere}.queryscape.workbench .unused .p\
lace{
color:var(--faint)}.queryscape.workbench .boxes{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(340px,100\
%),1fr));
gap:12px}.queryscape.workbench .box{min-width:0;padding:8px 12px 10px;border:1px solid var(--line);border-radius:8px}.qu\
eryscape.workbench
.box header{display:flex;align-items:center;gap:10px}.queryscape.workbench .box header .quiet{margin-left:auto}.querysca\
pe.workbench
.box header h2{white-space:nowrap}.queryscape.workbench .box header .field{min-width:0}.queryscape.workbench .unread{max\
-width:110ch;
overflow-wrap:anywhere}.queryscape.workbench .unread:before{content:"";flex:none;width:8px;height:8px;border-radius:1px;\

background:var(--core)}.queryscape.workbench .exact,.queryscape.workbench .losses-state{color:var(--faint);font-size:12p\
x}
.queryscape.workbench .losses-state{color:var(--ink);border-bottom:2px solid var(--warning);line-height:16px}.queryscape\
.workbench
.box pre{max-height:220px;margin-top:6px;padding:7px 9px;overflow:auto;border-radius:6px;background:var(--tint);font:12.\
5px/18px
var(--mono);white-space:pre-wrap;overflow-wrap:anywhere;scrollbar-width:thin}.queryscape.workbench .losses{margin-top:6p\
x;
font-size:12px;line-height:18px}.queryscape.workbench .losses li{display:flex;flex-wrap:wrap;gap:0 8px;padding:2px 0}.qu\
eryscape.workbench
.losses .status,.queryscape.workbench .ranked .note{color:var(--faint)}.queryscape.workbench .ranked .panel-line{justify\
-content:space-between;
margin-bottom:6px}.queryscape.workbench .ranked-list{position:relative;height:372px;overflow:auto;border:1px solid var(-\
-line);
border-radius:8px;scrollbar-width:thin}.queryscape.workbench .ranked-list li{display:grid;grid-template-columns:44px 12p\
x
minmax(0,1fr) 120px;align-items:center;gap:8px;height:30px;padding:0 10px 0 0;content-visibility:auto;contain-intrinsic-\
size:auto
30px;border-bottom:1px solid color-mix(in srgb,var(--line) 55%,transparent)}.queryscape.workbench .ranked-list .rank{col\
or:var(--faint);
text-align:right}.queryscape.workbench .ranked-title{overflow:hidden;white-space:nowrap;text-overflow:ellipsis}.querysca\
pe.workbench
.ranked-list .score{display:grid;grid-template-columns:1fr auto;align-items:center;gap:8px}.queryscape.workbench .beyond\

.ranked-title{color:var(--faint)}.queryscape.workbench .ranked-list li.cut{display:block;height:24px;padding:0 10px;bord\
er-bottom:0;
border-top:2px dashed var(--ink);font-size:12px;line-height:22px}@container workbench (max-width: 900px){.queryscape.wor\
kbench
.row.finding{grid-template-columns:72px minmax(0,1fr) max-content}.queryscape.workbench .row.finding>.place{grid-column:\
2;
grid-row:2}.queryscape.workbench .note .since{display:none}}@container workbench (max-width: 620px){.queryscape.workbenc\
h
.bar-group.end{margin-left:0;justify-content:flex-start}.queryscape.workbench .copy-string{order:-1}.queryscape.workbenc\
h
.beside{display:none}.queryscape.workbench .reshape-terms{grid-template-columns:minmax(0,1fr)}.queryscape.workbench .row\
:is(.finding,
.suggestion){grid-template-columns:minmax(0,1fr)}.queryscape.workbench .row.finding>.place{grid-column:auto;grid-row:aut\
o}
.queryscape.workbench .row.finding.alike{grid-template-columns:minmax(0,1fr)}.queryscape.workbench .block-word{display:n\
one}
.queryscape.workbench .figures-table{display:block;max-width:100%;overflow-x:auto}.queryscape.workbench .act{max-width:1\
00%}
.queryscape.workbench .tree-row{grid-template-columns:38px 184px 50px 54px 60px 40px 48px 58px 52px 60px}.queryscape.wor\
kbench
.tree-row .what{position:sticky;z-index:1;left:0;overflow:hidden;border-right:1px solid var(--line);background:var(--pap\
er)}
.queryscape.workbench .tree-head .what{background:var(--tint)}.queryscape.workbench .ranked-list li{grid-template-column\
s:30px
12px minmax(0,1fr) 56px}.queryscape.workbench .ranked-list .bar{display:none}}@media(prefers-reduced-motion:reduce){.que\
ryscape.workbench
*{animation:none!important;transition:none!important}}.queryscape.writer_board{--is-specific: #00756a;--is-general: #5b3\
fb5;--is-overarching: #735800;--is-excluded: #8a3b52;--is-aside:
var(--faint);--row: 44px}.queryscape.writer_board[data-theme=dark]{--is-specific: #4fd1bd;--is-general: #b7a4ff;--is-ove\
rarching:
#e0c56a;--is-excluded: #f0a0b4}.queryscape.writer_board .bar-group .ways{max-width:min(420px,100%)}.queryscape.writer_bo\
ard
.saved-as{color:var(--faint);font-size:12px}.queryscape.writer_board .saved-as:empty{display:none}.queryscape.writer_boa\
rd
.board-text .section-head{height:32px;align-items:center}.queryscape.writer_board .board-string{height:84px;padding:8px \
12px;
border:1px solid var(--edge);border-radius:8px;overflow:auto;resize:vertical;font:400 14px/22px var(--mono);font-variant\
-ligatures:none;
white-space:pre-wrap;overflow-wrap:anywhere;scrollbar-width:thin}.queryscape.writer_board .board-string.empty{color:var(\
--faint);
font:inherit;display:grid;place-content:center;text-align:center}.queryscape.writer_board .board-string [data-word]{bord\
er-radius:3px;
cursor:pointer;transition:background-color .12s}.queryscape.writer_board .board-string .in-specific{color:var(--is-speci\
fic)}
.queryscape.writer_board .board-string .in-general{color:var(--is-general)}.queryscape.writer_board .board-string .in-ov\
erarching{
color:var(--is-overarching);font-weight:600}.queryscape.writer_board .board-string .in-excluded{color:var(--is-excluded)\
;
text-decoration:line-through 1px}.queryscape.writer_board .board-string .is-operator{color:var(--faint);font-weight:600;\

font-size:12px}.queryscape.writer_board .board-string .marked{background:color-mix(in srgb,var(--accent) 20%,transparent\
)}
.queryscape.writer_board .board-losses{padding:3px 2px 0;color:var(--faint);font-size:12px;line-height:17px}.queryscape.\
writer_board
.board-losses:before{content:"";display:inline-block;width:9px;height:9px;margin-right:6px;clip-path:polygon(50% 0,100% \
100%,0
100%);background:var(--warning)}.queryscape.writer_board .board-scores{margin-top:10px;min-height:78px}.queryscape.write\
r_board
.board-scores .numbers{grid-template-columns:repeat(4,minmax(0,1fr))}.queryscape.writer_board .board-scores .number-cell\
{
height:76px;padding-top:6px}.queryscape.writer_board .sides{display:block;overflow:hidden;color:var(--faint);font-size:1\
2px;
line-height:18px;white-space:nowrap;text-overflow:ellipsis}.queryscape.writer_board .board-scores .range,.queryscape.wri\
ter_board
.board-scores .at{transition:left .16s,right .16s}.queryscape.writer_board .board-status{min-height:20px;margin-top:6px;\

padding:0 2px;font-size:12.5px;line-height:20px}.queryscape.writer_board .board-status.idle{color:var(--faint)}.querysca\
pe.writer_board>
.message{margin-top:6px;padding:0 2px}.queryscape.writer_board.behind :is(.board-string,.number-cell .figures){opacity:.\
6}
.queryscape.writer_board .board-columns{display:grid;grid-template-columns:minmax(0,1fr) minmax(270px,24%);gap:18px;marg\
in-top:8px}
.queryscape.writer_board .board-main{min-width:0}.queryscape.writer_board .kw-lists{display:grid;grid-template-columns:m\
inmax(0,1fr)
34px minmax(0,1fr);row-gap:10px}.queryscape.writer_board .kw-group{display:flex;flex-direction:column;min-width:0}.query\
scape.writer_board
.joint{color:var(--faint);font:600 11px/18px var(--st-font, system-ui, sans-serif);letter-spacing:.05em;align-self:cente\
r;
justify-self:center}.queryscape.writer_board .kw-group .joint{align-self:center;line-height:24px}.queryscape.writer_boar\
d
.kw-list{display:flex;flex-direction:column;min-width:0;height:480px;border:1px solid var(--line);border-radius:8px;back\
ground:var(--paper);
border-top:3px solid var(--hue);overflow:hidden;transition:border-color .12s,background-color .12s}.queryscape.writer_bo\
ard
.is-specific.kw-list{--hue: var(--is-specific)}.queryscape.writer_board .is-general.kw-list{--hue: var(--is-general);hei\
ght:276px}
.queryscape.writer_board .is-overarching.kw-list{--hue: var(--is-overarching);height:180px}.queryscape.writer_board .is-\
excluded.kw-list{
--hue: var(--is-excluded);height:300px}.queryscape.writer_board .is-aside.kw-list{--hue: var(--edge);height:300px;backgr\
ound:var(--wash)}
.queryscape.writer_board .kw-list.over{border-color:var(--accent);box-shadow:inset 0 0 0 1px var(--accent)}.queryscape.w\
riter_board
.kw-head{display:flex;align-items:center;gap:8px;flex:none;height:34px;padding:0 10px;white-space:nowrap}.queryscape.wri\
ter_board
.kw-head h2{color:var(--ink)}.queryscape.writer_board .kw-count{min-width:20px;padding:0 6px;border-radius:9px;backgroun\
d:var(--tint);
color:var(--faint);font-size:12px;line-height:18px;text-align:center}.queryscape.writer_board .kw-count:empty{display:no\
ne}
.queryscape.writer_board .kw-hint{flex:1 1 0;min-width:0;overflow:hidden;color:var(--faint);font-size:12px;text-overflow\
:ellipsis}
.queryscape.writer_board .kw-head .option{height:22px;padding:0 9px;font-size:12px}.queryscape.writer_board .kw-scroll{f\
lex:1
1 0;min-height:0;overflow-y:auto;overflow-x:hidden;scrollbar-width:thin;position:relative}.queryscape.writer_board .kw-l\
ine{
display:grid;grid-template-columns:14px minmax(0,1fr) 50px 40px 50px 58px;align-items:baseline}.queryscape.writer_board \
.kw-columns{
position:sticky;z-index:2;top:0;padding:0 8px 0 4px;border-bottom:1px solid var(--line);background:inherit;color:var(--f\
aint);
font-size:11.5px;line-height:20px;background:var(--paper)}.queryscape.writer_board .is-aside .kw-columns{background:colo\
r-mix(in
srgb,var(--ink) 4%,var(--paper))}.queryscape.writer_board .kw-columns .kw-number{color:inherit;cursor:help}.queryscape.w\
riter_board
.kw-number{padding-left:4px;text-align:right;white-space:nowrap}.queryscape.writer_board .kw-number.price.better{color:v\
ar(--error-ink);
font-weight:600}.queryscape.writer_board .is-aside .kw-number.better{color:var(--is-specific);font-weight:600}.queryscap\
e.writer_board
.kw{position:relative;height:var(--row);padding:2px 8px 0 4px;border-bottom:1px solid color-mix(in srgb,var(--line) 55%,\
transparent);
--under: var(--paper);background:var(--under);cursor:grab;user-select:none;-webkit-user-select:none}.queryscape.writer_b\
oard
.is-aside .kw{--under: color-mix(in srgb, var(--ink) 4%, var(--paper))}.queryscape.writer_board .kw:hover,.queryscape.wr\
iter_board
.kw.marked{--under: color-mix(in srgb, var(--ink) 7%, var(--paper))}.queryscape.writer_board .kw:focus{--under: color-mi\
x(in
srgb, var(--accent) 12%, var(--paper));box-shadow:inset 3px 0 0 var(--accent);outline:none}.queryscape.writer_board .kw:\
focus-visible{
outline:2px solid var(--accent);outline-offset:-2px}.queryscape.writer_board .kw.stale .kw-number{opacity:.4}.queryscape\
.writer_board
.kw.stale{animation:kw-arrives .5s ease-out}@keyframes kw-arrives{0%{background:color-mix(in srgb,var(--accent) 22%,var(\
--paper))}}
.queryscape.writer_board .kw.lifted{opacity:.35}.queryscape.writer_board.dragging,.queryscape.writer_board.dragging *{cu\
rsor:grabbing!important}
.queryscape.writer_board .kw-grip{align-self:center;width:6px;height:12px;margin-left:3px;touch-action:none;opacity:.35;\

background:radial-gradient(circle,var(--ink) 1px,transparent 1.3px) 0 0 / 4px 4px}.queryscape.writer_board .kw:hover .kw\
-grip{
opacity:.8}.queryscape.writer_board .kw-what{display:flex;align-items:baseline;gap:6px;min-width:0;padding-left:2px}.que\
ryscape.writer_board
.kw-words{overflow:hidden;font-weight:500;font-size:13.5px;white-space:nowrap;text-overflow:ellipsis}.queryscape.writer_\
board
.all-words .kw-words{text-decoration:underline dotted 1px var(--faint);text-underline-offset:4px}.queryscape.writer_boar\
d
.kw-field{flex:none;padding:0 5px;border-radius:4px;background:var(--tint);color:var(--faint);font-size:11px;line-height\
:15px}
.queryscape.writer_board .kw-below{position:relative;height:18px;padding-left:16px;line-height:17px}.queryscape.writer_b\
oard
.kw-flags{display:flex;gap:8px;overflow:hidden;color:var(--faint);font-size:11.5px;white-space:nowrap}.queryscape.writer\
_board
.kw-flag.warns:before{content:"";display:inline-block;width:8px;height:8px;margin-right:4px;clip-path:polygon(50% 0,100%\

100%,0 100%);background:var(--warning)}.queryscape.writer_board .kw-flag.warns{color:var(--ink)}.queryscape.writer_board\

.kw-by{overflow:hidden;text-overflow:ellipsis}.queryscape.writer_board .kw-acts{position:absolute;right:0;top:-1px;displ\
ay:none;
gap:2px;padding-left:10px;background:linear-gradient(to right,transparent,var(--under) 8px)}.queryscape.writer_board .kw\
:is(:hover,
:focus,:focus-within) .kw-acts{display:flex}.queryscape.writer_board .dragging .kw-acts,.queryscape.writer_board.draggin\
g
.kw-acts{display:none!important}.queryscape.writer_board .kw-act{width:21px;height:19px;padding:0;border:1px solid var(-\
-edge);
border-radius:5px;background:var(--paper);color:var(--ink);font-size:11px;line-height:16px;cursor:pointer}.queryscape.wr\
iter_board
.kw-act:hover{border-color:var(--accent);background:var(--accent);color:var(--paper)}.queryscape.writer_board .kw-empty{\

display:grid;place-content:center;height:100%;padding:12px 24px;color:var(--faint);text-align:center}.queryscape.writer_\
board
.kw-add{flex:none;height:32px;padding:0 12px;border:0;border-top:1px solid var(--line);background:transparent}.queryscap\
e.writer_board
.kw-add::placeholder{color:var(--faint);opacity:1}.queryscape.writer_board .kw-add:focus-visible{outline-offset:-2px;bor\
der-radius:0
0 7px 7px}.queryscape.writer_board .kw-list.waits .kw-words{color:var(--faint)}.queryscape.writer_board .kw-edit{positio\
n:absolute;
z-index:3;inset:0;display:flex;align-items:center;gap:8px;padding:0 8px;background:var(--paper);cursor:default}.querysca\
pe.writer_board
.kw-input{flex:1 1 0;min-width:0}.queryscape.writer_board .kw-phrase{display:inline-flex;align-items:center;gap:4px;colo\
r:var(--faint);
font-size:12px;white-space:nowrap}.queryscape.writer_board .kw-drop{height:0;border-top:2px solid var(--accent);margin:-\
1px
8px;border-radius:1px}.queryscape.writer_board .kw-ghost{position:fixed;z-index:1000;left:0;top:0;max-width:340px;paddin\
g:5px
11px;border:1px solid var(--accent);border-radius:7px;background:var(--paper);box-shadow:0 4px 16px #0003;pointer-events\
:none}
.queryscape.writer_board .kw-ghost b{display:block;font-weight:600}.queryscape.writer_board .kw-ghost-effect{color:var(-\
-faint);
font-size:12px}.queryscape.writer_board .board-side{min-width:0}.queryscape.writer_board .map-stage{height:292px}.querys\
cape.writer_board
.kw-card{min-height:250px;margin-top:12px;padding:10px 12px;border:1px solid var(--line);border-radius:8px}.queryscape.w\
riter_board
.kw-card h3{display:flex;justify-content:space-between;gap:8px;overflow-wrap:anywhere}.queryscape.writer_board .kw-close\
{
display:none;flex:none}.queryscape.writer_board .kw-card h4{margin-top:8px}.queryscape.writer_board :is(.kw-facts,.kw-wh\
o){
font-size:12.5px;line-height:18px}.queryscape.writer_board .kw-facts .warns:before{content:"";display:inline-block;width\
:8px;
height:8px;margin-right:5px;clip-path:polygon(50% 0,100% 100%,0 100%);background:var(--warning)}.queryscape.writer_board\

.kw-who{max-height:120px;overflow:auto;overflow-wrap:anywhere;scrollbar-width:thin}.queryscape.writer_board .kw-who b{fo\
nt-weight:600}
.queryscape.writer_board .kw-moves li{display:grid;grid-template-columns:92px minmax(0,1fr);align-items:center;gap:8px;p\
adding:2px
0}.queryscape.writer_board .kw-moves .quiet{height:24px;padding:0 8px;font-size:12px;text-align:start}.queryscape.writer\
_board
.kw-tip{color:var(--faint)}.queryscape.writer_board .board-held{margin-top:12px;border:1px solid var(--line);border-radi\
us:8px;
padding:6px 10px}.queryscape.writer_board .held-rows{max-height:320px;overflow:auto;margin-top:4px;scrollbar-width:thin}\

.queryscape.writer_board .held-rows li{display:grid;grid-template-columns:minmax(90px,200px) minmax(0,1fr) max-content;a\
lign-items:center;
gap:4px 12px;padding:5px 2px;border-top:1px solid color-mix(in srgb,var(--line) 55%,transparent)}.queryscape.writer_boar\
d
.held-text{overflow-wrap:anywhere;font-weight:500}.queryscape.writer_board .held-why{color:var(--faint);font-size:12px;l\
ine-height:17px}
.queryscape.writer_board .held-acts{display:flex;gap:4px}.queryscape.writer_board .held-acts .quiet{height:24px;padding:\
0
8px;font-size:12px}.queryscape.writer_board .board-left{margin-top:12px;padding:8px 12px;border:1px solid var(--warning)\
;
border-radius:8px}.queryscape.writer_board .board-left code{padding:0 5px;border-radius:4px;background:var(--tint);font:\
12px/20px
var(--mono);overflow-wrap:anywhere}@media(hover:none){.queryscape.writer_board .kw-acts{display:flex}}.queryscape.writer\
_board
.numbers{display:grid;grid-template-columns:repeat(5,minmax(0,1fr));border-block:1px solid var(--line)}.queryscape.write\
r_board
.number-cell{min-width:0;height:60px;padding:6px 12px}.queryscape.writer_board .number-cell:first-child{padding-left:2px\
}
.queryscape.writer_board .number-cell+.number-cell{border-left:1px solid var(--line)}.queryscape.writer_board dt{overflo\
w:hidden;
color:var(--faint);font-size:12px;line-height:15px;white-space:nowrap;text-overflow:ellipsis}.queryscape.writer_board .f\
igures{
display:flex;align-items:baseline;gap:6px;height:25px;line-height:25px;white-space:nowrap}.queryscape.writer_board .numb\
er-cell
.value{font-size:19px;font-weight:600;letter-spacing:-.01em}.queryscape.writer_board .of{color:var(--faint);font-size:12\
px;
overflow:hidden;text-overflow:ellipsis}.queryscape.writer_board .change{color:var(--faint);font-size:12px;font-weight:60\
0}
.queryscape.writer_board .whisker{position:relative;display:block;height:7px}.queryscape.writer_board .whisker:before{co\
ntent:"";
position:absolute;inset:3px 0;background:var(--line)}.queryscape.writer_board .whisker .range{position:absolute;top:2.5p\
x;
height:2px;background:color-mix(in srgb,var(--ink) 55%,var(--paper))}.queryscape.writer_board .whisker .at{position:abso\
lute;
top:0;width:3px;height:7px;margin-left:-1.5px;border-radius:1.5px;background:var(--ink)}@container workbench (max-width:\

980px){.queryscape.writer_board .board-columns{grid-template-columns:minmax(0,1fr)}.queryscape.writer_board .board-side{\

display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1fr);gap:0 16px}.queryscape.writer_board .board-side .section-\
head{
grid-column:1 / -1}.queryscape.writer_board .kw-card{margin-top:0}}@container workbench (max-width: 720px){.queryscape.w\
riter_board
.kw-lists{grid-template-columns:minmax(0,1fr);row-gap:2px}.queryscape.writer_board .kw-lists>.joint,.queryscape.writer_b\
oard
.kw-group .joint{line-height:26px}.queryscape.writer_board .kw-list,.queryscape.writer_board .is-general.kw-list,.querys\
cape.writer_board
.is-overarching.kw-list,.queryscape.writer_board .is-excluded.kw-list,.queryscape.writer_board .is-aside.kw-list{height:\
auto;
max-height:420px}.queryscape.writer_board .kw-scroll{flex:0 1 auto;min-height:66px}.queryscape.writer_board .board-side{\

display:contents}.queryscape.writer_board .board-columns{display:flex;flex-direction:column;gap:10px}.queryscape.writer_\
board
.board-main{order:2;width:100%}.queryscape.writer_board .board-side .section-head{display:none}.queryscape.writer_board \
.board-side
.map{order:1}.queryscape.writer_board .map-stage{height:190px}.queryscape.writer_board .kw-card{order:3;position:sticky;\

z-index:4;bottom:0;min-height:0;max-height:46vh;margin:0;overflow:auto;background:var(--paper);box-shadow:0 -4px 14px #0\
000001f}
.queryscape.writer_board .kw-card.idle{display:none}.queryscape.writer_board .kw-close{display:inline}.queryscape.writer\
_board
.kw-lists>.joint.not{order:1}.queryscape.writer_board .kw-lists>.is-excluded{order:2}.queryscape.writer_board .kw-lists>\

.is-aside{order:3;margin-top:12px}.queryscape.writer_board .board-scores .numbers{grid-template-columns:repeat(2,minmax(\
0,1fr))}
.queryscape.writer_board .bar-group.end{margin-left:0;justify-content:flex-start}.queryscape.writer_board .kw-hint{displ\
ay:none}
.queryscape.writer_board .kw-head .choice{margin-left:auto}.queryscape.writer_board .held-rows li{grid-template-columns:\
minmax(0,1fr)}}
.queryscape.workbench .tab-panel>.writer_board .board-status{margin:0 0 6px}.queryscape.workbench .tab-panel>.writer_boa\
rd
.board-left{margin:0 0 8px}.queryscape.workbench .tab-panel>.writer_board .kw-card{max-height:260px}.queryscape.workbenc\
h
.tab-panel>.writer_board .kw-scroll{min-height:44px}.queryscape.workbench .tab-panel>.writer_board .kw-empty{padding:6px\

12px}@media(forced-colors:active){.queryscape :is(.mark,.dot,span.bar,.whisker,.swatch,.area,.curve,.needle,.legend-icon\
,.ticks){
forced-color-adjust:none}.queryscape .ticks .tick:before{border-bottom-color:CanvasText!important}.queryscape :is(.chip,\

.option,.tool,.tab,.only):is([aria-pressed=true],[aria-selected=true]),.queryscape .lab-names a[aria-current]{forced-col\
or-adjust:none;
border-color:Highlight!important;background:Highlight!important;color:HighlightText!important}.queryscape :is(.chip,.opt\
ion,
.tool,.tab):is([aria-pressed=true],[aria-selected=true]) *{background:none!important;color:HighlightText!important}.quer\
yscape
:is(.card[aria-checked=true],.line[aria-selected=true]){outline:3px solid Highlight;outline-offset:-3px}.queryscape :is(\
.switch[aria-checked=true],
.pick.on .tick){forced-color-adjust:none;border-color:Highlight!important;background:Highlight!important}.queryscape .sw\
itch:after{
forced-color-adjust:none;background:ButtonText!important}.queryscape .switch[aria-checked=true]:after{background:Highlig\
htText!important}
.queryscape :is(button,input,select,textarea,[tabindex]):focus-visible{outline:3px solid CanvasText!important;outline-of\
fset:1px}
.queryscape :is(:disabled,[aria-disabled=true]){color:GrayText!important;opacity:1!important}.queryscape input[type=rang\
e]{
forced-color-adjust:none}.queryscape input[type=range]::-webkit-slider-runnable-track{background:CanvasText!important}.q\
ueryscape
input[type=range]::-moz-range-track{background:CanvasText!important}.queryscape input[type=range]::-webkit-slider-thumb{\

border-color:Canvas!important;background:Highlight!important;box-shadow:none!important}.queryscape input[type=range]::-m\
oz-range-thumb{
border-color:Canvas!important;background:Highlight!important;box-shadow:none!important}}.queryscape.figure_files{--text:\
 var(--st-text-color);--accent: var(--st-primary-color);--line: var(--st-border-color);font:13px/1.4
var(--st-font);color:var(--text)}.queryscape.figure_files .bar{display:flex;gap:6px;align-items:center}.queryscape.figur\
e_files
summary{cursor:pointer;padding:6px 0;width:max-content}.queryscape.figure_files .lines{max-height:260px;overflow:auto;bo\
rder:1px
solid var(--line);border-radius:6px}.queryscape.figure_files table{border-collapse:collapse;font-variant-numeric:tabular\
-nums}
.queryscape.figure_files :is(td,th){padding:2px 12px;text-align:right;white-space:nowrap}.queryscape.figure_files th{pos\
ition:sticky;
top:0;background:var(--st-secondary-background-color);font-weight:600}.queryscape.figure_files .label{opacity:.75;margin\
-inline-end:2px}
.queryscape.figure_files button{font:inherit;color:inherit;background:none;border:1px solid var(--line);border-radius:6p\
x;
padding:1px 9px;cursor:pointer}.queryscape.figure_files button:hover{border-color:var(--accent);color:var(--accent)}.que\
ryscape.figure_files
button:focus-visible{outline:2px solid var(--accent);outline-offset:1px}
`)),sheet}var INSETS={left:22,right:22,top:52,bottom:50},Camera=class{constructor(){this.width=0,this.height=0,this.insets={...INSETS},
this.bounds=[0,0,1,1],this.cx=0,this.cy=0,this.scale=1,this.fit=1,this.isHome=!0}get closeness(){return this.scale/this.
fit}pixelX(x){return(x-this.cx)*this.scale+this.width/2}pixelY(y){return this.height/2-(y-this.cy)*this.scale}placeX(px2){
return(px2-this.width/2)/this.scale+this.cx}placeY(py){return(this.height/2-py)/this.scale+this.cy}resize(width,height){
let closeness=this.closeness;this.width=width,this.height=height,this.#measure(),this.isHome?this.home():this.scale=this.
fit*closeness}frame(bounds){bounds.every((edge,i)=>edge===this.bounds[i])||(this.bounds=[...bounds],this.#measure(),this.
home())}home(){let[x0,y0,x1,y1]=this.bounds;this.scale=this.fit;let{left,right,top,bottom}=this.insets;this.cx=(x0+x1)/2+
(right-left)/2/this.scale,this.cy=(y0+y1)/2+(top-bottom)/2/this.scale,this.isHome=!0}pan(dx,dy){this.cx-=dx/this.scale,this.
cy+=dy/this.scale,this.#stayNear()}zoom(factor,px2,py){let x=this.placeX(px2),y=this.placeY(py);this.scale=Math.min(Math.
max(this.scale*factor,this.fit*.8),this.fit*400),this.cx=x-(px2-this.width/2)/this.scale,this.cy=y+(py-this.height/2)/this.
scale,this.#stayNear()}centre(x,y){this.cx=x,this.cy=y,this.#stayNear()}#measure(){let[x0,y0,x1,y1]=this.bounds,{left,right,
top,bottom}=this.insets,wide=Math.max(this.width-left-right,40),high=Math.max(this.height-top-bottom,40);this.fit=Math.min(
wide/Math.max(x1-x0,1e-9),high/Math.max(y1-y0,1e-9))}#stayNear(){let[x0,y0,x1,y1]=this.bounds;this.cx=Math.min(Math.max(
this.cx,x0),x1),this.cy=Math.min(Math.max(this.cy,y0),y1),this.isHome=!1}};function boundsOf(x,y){let[x0,y0,x1,y1]=[1/0,
1/0,-1/0,-1/0];for(let row=0;row<x.length;row++)Number.isNaN(x[row])||Number.isNaN(y[row])||(x[row]<x0&&(x0=x[row]),x[row]>
x1&&(x1=x[row]),y[row]<y0&&(y0=y[row]),y[row]>y1&&(y1=y[row]));return x0>x1?[0,0,1,1]:[x0,y0,x1,y1]}var CLICK_REACH=4,STEP_PX=48,
KEY_ZOOM=1.3,LASSO_STEP=3,SMALL_STEP=50,Hand=class{constructor(canvas,actions){this.canvas=canvas,this.actions=actions,this.
lassoing=!1,this.pointers=new Map,this.path=null,this.moved=!1,this.from={x:0,y:0};let listeners={pointerdown:event=>this.#down(
event),pointermove:event=>this.#move(event),pointerup:event=>this.#up(event),pointercancel:event=>this.#cancel(event),pointerleave:()=>actions.
leave(),dblclick:event=>this.#twice(event),keydown:event=>this.#key(event)};for(let[name,listener]of Object.entries(listeners))
canvas.addEventListener(name,listener);canvas.addEventListener("wheel",event=>this.#wheel(event),{passive:!1})}#place(event){
let{left,top}=this.canvas.getBoundingClientRect();return{x:event.clientX-left,y:event.clientY-top}}#down(event){if(event.
button!==0)return;let place=this.#place(event);this.canvas.setPointerCapture(event.pointerId),this.pointers.set(event.pointerId,
place),this.pointers.size>1?(this.#endLasso(!1),this.moved=!0):(this.moved=!1,this.from=place,(this.lassoing||event.shiftKey)&&
(this.path=[place.x,place.y]))}#move(event){let place=this.#place(event),before=this.pointers.get(event.pointerId);if(!before)
return this.actions.hover(place.x,place.y);if(this.pointers.size>1)return this.#pinch(event.pointerId,place);if(!(!this.
moved&&Math.hypot(place.x-this.from.x,place.y-this.from.y)<CLICK_REACH))return this.moved=!0,this.path?this.#drawLasso(place):
(this.pointers.set(event.pointerId,place),this.canvas.classList.add("dragging"),this.actions.pan(place.x-before.x,place.
y-before.y))}#drawLasso({x,y}){let path=this.path??[];Math.hypot(x-path[path.length-2],y-path[path.length-1])<LASSO_STEP||
(path.push(x,y),this.actions.lassoMove(path))}#pinch(id,place){let[a,b]=[...this.pointers.values()],apart=Math.hypot(a.x-
b.x,a.y-b.y);this.pointers.set(id,place);let[c,d]=[...this.pointers.values()];this.actions.pan((c.x+d.x-a.x-b.x)/2,(c.y+
d.y-a.y-b.y)/2),apart>0&&this.actions.zoom(Math.hypot(c.x-d.x,c.y-d.y)/apart,(c.x+d.x)/2,(c.y+d.y)/2)}#up(event){if(!this.
pointers.delete(event.pointerId)||(this.canvas.classList.remove("dragging"),this.pointers.size))return;let drawn=this.path&&
this.moved;if(this.path&&this.#endLasso(drawn),!this.moved){let{x,y}=this.#place(event);this.actions.click(x,y)}}#cancel(event){
this.pointers.delete(event.pointerId),this.canvas.classList.remove("dragging"),this.#endLasso(!1)}#endLasso(drawn){let{path}=this;
path&&(this.path=null,this.actions.lassoEnd(drawn&&path.length>=6?path:null))}#twice(event){if(event.shiftKey||this.lassoing)
return;let{x,y}=this.#place(event);this.actions.zoom(2,x,y)}#wheel(event){if(!event.ctrlKey&&!event.metaKey)return this.
actions.scrolled?.();event.preventDefault();let{x,y}=this.#place(event),lines=event.deltaMode===1?16:1,speed=Math.abs(event.
deltaY*lines)<SMALL_STEP?.01:.0015;return this.actions.zoom(Math.exp(-event.deltaY*lines*speed),x,y)}#key(event){if(event.
ctrlKey||event.metaKey||event.altKey)return;let step=event.shiftKey?3*STEP_PX:STEP_PX,{pan,zoom,home,enter,escape}=this.
actions,middle=[this.canvas.clientWidth/2,this.canvas.clientHeight/2],act={ArrowLeft:()=>pan(step,0),ArrowRight:()=>pan(
-step,0),ArrowUp:()=>pan(0,step),ArrowDown:()=>pan(0,-step),"+":()=>zoom(KEY_ZOOM,...middle),"=":()=>zoom(KEY_ZOOM,...middle),
"-":()=>zoom(1/KEY_ZOOM,...middle),_:()=>zoom(1/KEY_ZOOM,...middle),0:home,Home:home,Enter:enter,Escape:()=>{this.#endLasso(
!1),escape()}}[event.key];act&&(event.preventDefault(),event.stopPropagation(),act())}};var SLACK=1e-6,COUNTS_OF=new WeakMap;function splitIndex(similarity,n,minSimilarity){let least=minSimilarity-SLACK,low=0,
high=n;for(;low<high;){let middle=low+high>>1;similarity[middle]>=least?high=middle:low=middle+1}return low}function coreFrom(core,n){
let counts=new Uint32Array(n+1);for(let i=n-1;i>=0;i--)counts[i]=counts[i+1]+core[i];return counts}function coreRows(core,n){
let found=[],missed=[];for(let row=0;row<core.length;row++)core[row]&&(row<n?found:missed).push(row);return{found:Uint32Array.
from(found),missed:Uint32Array.from(missed)}}function countsOf(points){if(!COUNTS_OF.has(points)){let{core}=points.arrays;
COUNTS_OF.set(points,{accepted:coreFrom(core,points.header.n),rows:coreRows(core,points.header.n)})}return COUNTS_OF.get(
points)}function countMask(mask,core,n){let nRelevant=0,nAccepted=0;for(let row=0;row<n;row++)bitAt(mask,row)&&(nRelevant++,
nAccepted+=core[row]);return{nRelevant,nAccepted}}var Relevance=class{constructor(){this.points=null,this.n=0,this.region=
null,this.split=0,this.mask=null,this.reason=null,this.nRelevant=0,this.nAccepted=0}follow(points,regions,live){let other=points!==
this.points||live.region!==this.region;return this.points=points,this.n=points.header.n,this.region=live.region,live.region===
"cosine"?this.#followSplit(points,live.min_similarity,other):this.#followMask(points,regions,other)}has(row){return row>=
this.n?!1:this.region==="cosine"?row>=this.split:this.mask!==null&&bitAt(this.mask,row)===1}#followSplit(points,minSimilarity,other){
let known=Number.isFinite(minSimilarity),split=known?splitIndex(points.arrays.similarity,this.n,minSimilarity):this.n;return this.
reason=known?null:"there is no similarity threshold",!other&&split===this.split?"same":(this.split=split,this.mask=null,
this.nRelevant=this.n-split,this.nAccepted=countsOf(points).accepted[split],other?"all":"split")}#followMask(points,regions,other){
let mask=regions?.arrays[`mask_${this.region}`]??null;if(this.reason=mask?null:regions?.header.undefined?.[this.region??
""]??"not computed yet",!other&&mask===this.mask)return"same";this.mask=mask;let counts=mask?countMask(mask,points.arrays.
core,this.n):{nRelevant:0,nAccepted:0};return this.nRelevant=counts.nRelevant,this.nAccepted=counts.nAccepted,"all"}},Readout=class{constructor(){
this.coreAccepted=this.semanticPrecision=this.decay=this.fBeta=NaN,this.reason=null}follow(relevance,curve,scores){let ofRegion=scores?.
regions?.find(({kind})=>kind===relevance.region);relevance.region==="cosine"?this.#atSplit(relevance,curve,ofRegion?.status):
this.#ofRegion(relevance,ofRegion)}#atSplit({points,split,n,reason},curve,status){let fits=curve!==null&&curve.arrays.f_beta.
length===n+1,undefinedBecause=reason??(n>0?null:status&&status!=="ok"?status:"nothing was retrieved"),at=scores=>undefinedBecause?
NaN:scores?.[split]??NaN;this.coreAccepted=at(points.arrays.core_accepted),this.semanticPrecision=at(points.arrays.semantic_precision),
this.decay=at(fits?curve.arrays.decay:null),this.fBeta=at(fits?curve.arrays.f_beta:null),this.reason=undefinedBecause??(fits?
"not defined at this similarity threshold":"computing")}#ofRegion(relevance,scores){let known=scores?.status==="ok"&&!relevance.
reason;this.coreAccepted=known?scores.core_accepted??NaN:NaN,this.semanticPrecision=known?scores.semantic_precision??NaN:
NaN,this.decay=known?scores.decay??NaN:NaN,this.fBeta=known?scores.f_beta??NaN:NaN;let status=!scores||scores.status==="\
ok"?"computing":scores.status;this.reason=scores?.pending??relevance.reason??status}};function countRelevant(rows,relevance){
let n=0;for(let i=0;i<rows.length;i++)relevance.has(rows[i])&&n++;return n}var SPOKEN_AFTER_MS=500,SHOWS_VERSION="The la\
ndscape shows the open version. Run the search string to update it.",ReadoutLine=class{constructor(hear){this.hear=hear,
this.items={relevant:readoutItem("relevant"),core_accepted:readoutItem("core accepted"),semantic_precision:readoutItem("\
semantic precision"),decay:readoutItem("decay"),f_beta:readoutItem("F2")},this.kept=readoutItem("core kept,"),this.toRead=
readoutItem("to read"),this.note=make("span",{class:"readout-name"}),this.isDraft=!1,this.isEmpty=!1,this.element=make("\
div",{class:"readout","data-testid":"readout"},...this.#all()),this.status=make("div",{class:"unseen",role:"status","ari\
a-live":"polite"}),this.timer=0}#all(){return Object.values(this.items).map(({element})=>element)}makeSentence(){this.element.
classList.add("sentence"),this.element.replaceChildren(this.kept.element,this.toRead.element,this.note),this.#explain()}showDraft(isDraft){
this.isDraft=isDraft,this.#explain()}#explain(){let words2=this.isDraft?SHOWS_VERSION:this.isEmpty?"No retrieved publica\
tion can be scored.":"";write(this.note,words2);for(let{element}of[this.kept,this.toRead])show(element,!words2)}describe({
header}){for(let name of["core_accepted","semantic_precision","decay","f_beta"])this.items[name].help=header.texts?.[name]??
"";this.kept.help=this.items.core_accepted.help,this.toRead.help="Retrieved publications that the region accepts as rele\
vant.",this.items.relevant.value.style.minWidth=`${2*count(header.n).length+4}ch`,this.items.core_accepted.value.style.minWidth=
`${2*count(header.n_core).length+12}ch`}follow(relevance,readout,{header},live){let{items}=this;this.isEmpty=relevance.n===
0,this.#explain();let isDefined=relevance.n>0&&!relevance.reason,counted=(n,all)=>isDefined?`${count(n)} of ${count(all)}`:
null,share2=scoreText(readout.coreAccepted),accepted=share2&&`${counted(relevance.nAccepted,header.n_core)} (${share2})`,
why=relevance.reason??readout.reason;this.#write(items.relevant,counted(relevance.nRelevant,relevance.n),why),this.#write(
this.toRead,counted(relevance.nRelevant,relevance.n),why),this.#write(this.kept,counted(relevance.nAccepted,countsOf(relevance.
points).rows.found.length),why),this.#write(items.core_accepted,accepted,readout.reason),this.#write(items.semantic_precision,
scoreText(readout.semanticPrecision),readout.reason),this.#write(items.decay,scoreText(readout.decay),readout.reason),this.#write(
items.f_beta,scoreText(readout.fBeta),readout.reason),write(items.f_beta.name,fBetaName(live.beta)),clearTimeout(this.timer),
this.timer=setTimeout(()=>this.#say(),SPOKEN_AFTER_MS)}#write({element,value,help},text,reason){write(value,text??"–"),
attribute(element,"title",text===null?`Undefined: ${reason}`:help||null)}#say(){let parts=Object.values(this.items).map(
({name,value})=>`${name.textContent} ${value.textContent}`);write(this.status,parts.join(", ")),this.hear(parts.join(", "))}destroy(){
clearTimeout(this.timer)}};function readoutItem(label2){let name=make("span",{class:"readout-name"},label2),value=make("\
span",{class:"readout-value"},"–");return{element:make("span",{class:"readout-item"},name,value),name,value,help:""}}function scoreText(value){
return Number.isNaN(value)?null:significant(value)}var MARK_RADII={found:4.3,accepted:4.3,missed:4.2,picked:4.2,typed:4,focused:9};function drawMark(context,mark,x,y,radius,colours){
context.beginPath(),context.arc(x,y,radius,0,2*Math.PI),mark==="found"||mark==="accepted"?(context.fillStyle=colours.core,
context.fill(),ring(context,mark==="accepted"?colours.core_edge:colours.background,mark==="accepted"?1.4:.9)):mark==="mi\
ssed"?(context.fillStyle=colours.background,context.fill(),ring(context,colours.core,1.7)):mark==="picked"?(context.globalAlpha=
radius<3?.6:1,ring(context,colours.selection,radius<3?1:1.6),context.globalAlpha=1):mark==="typed"?drawDiamond(context,x,
y,radius,colours):mark==="focused"&&drawCrosshair(context,x,y,radius,colours)}function ring(context,colour,width){context.
strokeStyle=colour,context.lineWidth=width,context.stroke()}function drawDiamond(context,x,y,radius,colours){context.beginPath();
let reach=1.3*radius;for(let[dx,dy]of[[1,0],[0,1],[-1,0],[0,-1]])context.lineTo(x+dx*reach,y+dy*reach);context.closePath(),
ring(context,colours.background,radius<3?2:3.2),ring(context,colours.text,radius<3?.9:1.6)}function drawCrosshair(context,x,y,radius,colours){
for(let[dx,dy]of[[1,0],[-1,0],[0,1],[0,-1]])context.moveTo(x+dx*radius,y+dy*radius),context.lineTo(x+dx*(radius+6),y+dy*
(radius+6));ring(context,colours.background,4.5),ring(context,colours.selection,2)}function coreShrink(nCore){return nCore<=
250?1:nCore<=1500?.8:.65}function spriteOf(mark,radius,scale,colours){let reach=Math.ceil((radius+2)*scale),side=2*reach+
1,canvas=document.createElement("canvas");canvas.width=canvas.height=side;let context=contextOf(canvas,{willReadFrequently:!0});
context.scale(scale,scale),drawMark(context,mark,(reach+.5)/scale,(reach+.5)/scale,radius,colours);let{data}=context.getImageData(
0,0,side,side),dots=[];for(let at=0;at<data.length;at+=4){if(data[at+3]<8)continue;let place=at/4;dots.push(place%side-reach,
Math.floor(place/side)-reach,...data.subarray(at,at+4))}return{reach,dots:Int16Array.from(dots)}}var ROW_HEIGHT=32,HEAD_HEIGHT=32,BEYOND=4,Grid=class{constructor(label2,{onOpen,onMark,onSort,dress}){this.onOpen=onOpen,
this.onMark=onMark,this.onSort=onSort,this.dress=dress,this.view=new Uint32Array(0),this.columns=[],this.pool=[],this.active=
0,this.version=0,this.head=make("div",{class:"grid-head",role:"row","aria-rowindex":1}),this.space=make("div",{class:"gr\
id-space",role:"presentation"}),this.element=make("div",{class:"grid",role:"grid",tabindex:0,"aria-label":label2}),this.
element.append(this.head,this.space),attribute(this.element,"aria-multiselectable","true"),this.frame=oncePerFrame(()=>this.
paint()),this.element.addEventListener("scroll",()=>this.frame.ask(),{passive:!0}),this.element.addEventListener("keydow\
n",event=>this.key(event)),this.element.addEventListener("click",event=>this.click(event)),this.observer=new ResizeObserver(
()=>this.frame.ask()),this.observer.observe(this.element)}destroy(){this.observer.disconnect(),this.frame.stop()}setColumns(columns){
let same=columns.map(c=>`${c.key}|${c.label}|${c.help}`).join(`
`);if(this.columns=columns,same!==this.shape){this.shape=same,this.element.style.setProperty("--columns",columns.map(c=>`\
var(--w-${c.size})`).join(" ")),attribute(this.element,"aria-colcount",columns.length),this.head.replaceChildren(...columns.
map((column,at)=>this.headCell(column,at)));for(let line of this.pool.splice(0))line.element.remove()}}headCell(column,at){
let cell=make("div",{class:`cell ${column.size}`,role:"columnheader","aria-colindex":at+1});if(column.help&&(cell.title=
column.help),!column.sortable)return cell.append(make("span",{class:"unseen"},column.label)),cell;let button2=make("butt\
on",{type:"button",class:"sort"},make("span",{},column.short??column.label));return column.short&&attribute(button2,"ari\
a-label",column.label),button2.addEventListener("click",()=>this.onSort(column.key)),cell.append(button2),cell}setSort(key,descending){
this.columns.forEach((column,at)=>{let direction=descending?"descending":"ascending";attribute(this.head.children[at],"a\
ria-sort",column.key===key?direction:column.sortable?"none":null)})}setView(view){let row=this.view[this.active];this.view=
view,this.active=Math.max(0,row===void 0?0:view.indexOf(row)),this.space.style.height=`${view.length*ROW_HEIGHT}px`,attribute(
this.element,"aria-rowcount",view.length+1),this.refresh()}refresh(){this.version++,this.frame.ask()}paint(){let height=this.
element.clientHeight-HEAD_HEIGHT,above2=Math.floor(this.element.scrollTop/ROW_HEIGHT)-BEYOND,inSight=Math.ceil(Math.max(
height,0)/ROW_HEIGHT)+2*BEYOND+1;for(;this.pool.length<inSight;)this.pool.push(this.line(this.pool.length));let first=Math.
max(0,above2),used=new Set;for(let index=first;index<Math.min(this.view.length,first+inSight);index++){let slot=index%this.
pool.length;used.add(slot),this.patch(this.pool[slot],index)}this.pool.forEach((line2,slot)=>show(line2.element,used.has(
slot)));let line=this.pool[this.active%this.pool.length],seen2=line&&line.index===this.active&&!line.element.hidden;attribute(
this.element,"aria-activedescendant",seen2?line.element.id:null)}line(slot){let cells2=this.columns.map((column,at)=>{let cell=make(
"div",{class:`cell ${column.size}`,role:"gridcell","aria-colindex":at+1});return column.start?.(cell),cell}),element=make(
"div",{class:"line",role:"row",id:`line-${slot}`},...cells2);return this.space.append(element),{element,cells:cells2,index:-1,
row:-1,version:-1}}patch(line,index){let row=this.view[index];line.element.classList.toggle("active",index===this.active),
line.index!==index&&(line.index=index,line.element.style.transform=`translateY(${index*ROW_HEIGHT}px)`,attribute(line.element,
"aria-rowindex",index+2)),!(line.row===row&&line.version===this.version)&&(line.row=row,line.version=this.version,this.dress(
line.element,row),this.columns.forEach((column,at)=>column.fill(line.cells[at],row)))}reveal(row){let index=this.view.indexOf(
row);return index<0?!1:(this.move(index),!0)}move(index){this.active=Math.min(Math.max(index,0),Math.max(this.view.length-
1,0));let top=this.active*ROW_HEIGHT,height=this.element.clientHeight-HEAD_HEIGHT,{scrollTop}=this.element;top<scrollTop?
this.element.scrollTop=top:top+ROW_HEIGHT>scrollTop+height&&(this.element.scrollTop=top+ROW_HEIGHT-height),this.frame.ask()}key(event){
if(event.target!==this.element||event.altKey||event.metaKey)return;let page=Math.max(1,Math.floor((this.element.clientHeight-
HEAD_HEIGHT)/ROW_HEIGHT)-1),last=this.view.length-1,steps={ArrowDown:1,ArrowUp:-1,PageDown:page,PageUp:-page,Home:-last,
End:last},row=this.view[this.active];if(event.key in steps)this.move(this.active+steps[event.key]);else if(event.key==="\
Enter"&&row!==void 0)this.onOpen(row);else if(event.key===" "&&row!==void 0)this.onMark(row);else return;event.preventDefault()}click(event){
let element=hit(event,".line"),line=this.pool.find(candidate=>candidate.element===element);!line||hit(event,"a")||(this.
active=line.index,this.frame.ask(),hit(event,".pick")?this.onMark(line.row):this.onOpen(line.row))}};function fillText(cell,text,title=null){
write(cell,text),attribute(cell,"title",title)}var ASCII=/^[ -~]*$/,FILTERS=["all","relevant","core","picked","missed"];function rankOf(row,n){return row<n?n-row:null}
function sourcesOf(mask){let n=0;for(let rest=mask;rest;rest&=rest-1)n++;return n}function sortedRows(total,n,keyOf2,descending){
let order=rankedRows(total,n),keys=Array.from(order,keyOf2),distinct=ascending([...new Set(keys.filter(isKey))]),codes=new Map;
distinct.forEach((key,at)=>codes.set(key,descending?distinct.length-1-at:at));let packed=Float64Array.from(keys,(key,place)=>(codes.
get(key)??distinct.length)*total+place);return Uint32Array.from(packed.sort(),code=>order[code%total])}function rankedRows(total,n){
let order=new Uint32Array(total);for(let place=0;place<total;place++)order[place]=place<n?n-1-place:place;return order}function ascending(keys){
return typeof keys[0]=="number"?Float64Array.from(keys).sort():keys.sort()}function isKey(key){return key!=null&&key!==""&&
!Number.isNaN(key)}function sortableTitle(title){let small=title.toLowerCase(),plain=ASCII.test(small)?small:small.normalize(
"NFKD").replace(/\p{M}+/gu,"");return plain.replace(/^[^\p{L}\p{N}]+/u,"")||plain}function shownRows(order,{filter,n,core,
isRelevant,picked,found}){let passes={all:row=>row<n,relevant:row=>row<n&&isRelevant(row),core:row=>row<n&&core[row]===1,
picked:row=>picked!==null&&picked[row]===1,missed:row=>row>=n}[filter];return order.filter(row=>(found===null||found[row]===
1)&&passes(row))}function marksOf(rows,total){if(!rows.length)return null;let marks=new Uint8Array(total);for(let row of rows)
row<total&&(marks[row]=1);return marks}function toggled(rows,row){let others=Array.from(rows).filter(other=>other!==row);
return others.length===rows.length?[...others,row]:others}function foundRows(typed,{titles,dois,year},total){let words2=typed.
split(/\s+/).filter(word=>word.trim().length>=SHORTEST_FIND);if(!words2.length)return null;let found=new Uint8Array(total).
fill(1);for(let word of words2){let hits=new Uint8Array(total);for(let rows of[titles.find(word),dois.find(word)])for(let row of rows)
hits[row]=1;/^\d{4}$/.test(word)&&markYear(year,Number(word),hits);for(let row=0;row<total;row++)found[row]&=hits[row]}return found}
function markYear(year,wanted,hits){for(let row=0;row<hits.length;row++)year[row]===wanted&&(hits[row]=1)}var SHORT={cosine:"\
Cos",nearest_core:"Near",mvee:"Ell",hull:"Hull",cluster:"Clus"};function columnsFor(points,table){let{header,arrays}=points;
return[pickColumn(table),rankColumn(header),titleColumn(table),yearColumn(arrays),similarityColumn(arrays),...header.kinds.
map(kind=>regionColumn(kind,header.n,table)),coreColumn(header,arrays),sourcesColumn(header,arrays),doiColumn(table)]}function pickColumn(table){
return{key:"pick",label:"Picked",size:"pick",sortable:!1,start:cell=>cell.append(make("span",{class:"tick","aria-hidden":"\
true"})),fill(cell,row){let picked=table.isPicked(row);cell.classList.toggle("on",picked),attribute(cell,"aria-label",picked?
"picked":"not picked")}}}function rankColumn({n}){return{key:"rank",label:"Rank",size:"rank",sortable:!0,descendingFirst:!1,
help:"Rank by similarity to the core: 1 is the most similar.",fill:(cell,row)=>fillText(cell,count(rankOf(row,n))),sortKey:row=>rankOf(
row,n),value:row=>rankOf(row,n)}}function titleColumn(table){return{key:"title",label:"Title",size:"title",sortable:!0,descendingFirst:!1,
fill(cell,row){let retracted=table.isRetracted(row);fillText(cell,listedTitle(table.titleOf(row),retracted),table.titleOf(
row)||null),cell.classList.toggle("retracted",retracted)},sortKey:row=>sortableTitle(table.titleOf(row)),value:row=>table.
titleOf(row)}}function retractedColumn(table){return{label:"Retracted",value:row=>table.isRetracted(row)?"yes":""}}function yearColumn({
year}){return{key:"year",label:"Year",size:"year",sortable:!0,descendingFirst:!0,fill:(cell,row)=>fillText(cell,year[row]?
String(year[row]):"–"),sortKey:row=>year[row]||null,value:row=>year[row]||null}}function similarityColumn({similarity}){
return{key:"similarity",label:"Similarity",size:"similarity",sortable:!0,descendingFirst:!0,help:"Cosine similarity to t\
he centre of the core publications.",fill:(cell,row)=>fillText(cell,significant(similarity[row])),sortKey:row=>similarity[row],
value:row=>Number(similarity[row].toPrecision(7))}}function regionColumn({kind,label:label2,help},n,table){let reason=table.
undefinedReason(kind),verdictOf=row=>row<n?table.verdict(kind)?.(row)??null:null;return{key:`relevant:${kind}`,label:`Re\
levant: ${label2}`,short:SHORT[kind]??label2.slice(0,4),size:"region",help:reason?`${label2}: not defined (${reason})`:`${label2}\
: ${help}`,sortable:!0,descendingFirst:!0,start:cell=>cell.append(make("span",{class:"mark","aria-hidden":"true"})),fill(cell,row){
let verdict=verdictOf(row);cell.firstChild.className=verdict?"mark relevant":verdict===null?"mark undefined":"mark outsi\
de",attribute(cell,"aria-label",verdict?"relevant":verdict===null?"not defined":"not relevant")},sortKey:row=>verdictOf(
row)===null?null:Number(verdictOf(row)),value:row=>verdictOf(row)===null?null:verdictOf(row)?"yes":"no"}}function coreColumn({
n},{core}){let words2=row=>core[row]?row<n?"core found":"core missed":"";return{key:"core",label:"Core",size:"core",sortable:!0,
descendingFirst:!0,help:"Core publications: found by the query, or missed.",start:cell=>cell.append(make("span",{class:"\
mark","aria-hidden":"true"})),fill(cell,row){cell.firstChild.className=core[row]?`mark ${row<n?"core-found":"core-missed"}`:
"mark",attribute(cell,"aria-label",words2(row)||null),attribute(cell,"title",words2(row)||null)},sortKey:row=>core[row],
value:words2}}function sourcesColumn({sources=[]},{source}){let names=row=>sources.filter((_,bit)=>source[row]>>bit&1).join(
"; ");return{key:"sources",label:"Found by",size:"sources",sortable:!0,descendingFirst:!0,help:"Number of query versions\
 that retrieve it.",fill:(cell,row)=>fillText(cell,count(sourcesOf(source[row])),names(row)||"no query version"),sortKey:row=>sourcesOf(
source[row]),value:names}}function doiColumn(table){return{key:"doi",label:"DOI",size:"doi",sortable:!0,descendingFirst:!1,
start:cell=>cell.append(make("a",{target:"_blank",rel:"noopener noreferrer",tabindex:-1})),fill(cell,row){let doi=table.
doiOf(row),address=doiAddress(doi);attribute(cell.firstChild,"href",address),attribute(cell.firstChild,"title",address&&
`${doi} (opens in a new tab)`),fillText(cell.firstChild,address?doi:"",cell.firstChild.title||null)},sortKey:row=>table.
doiOf(row),value:row=>table.doiOf(row)}}var DEEPEST=255,FINENESS=[[1.5,15],[4,8],[1/0,4]],SAMPLES_PER_SIDE=5,MARGIN_PX=12,STAMPS=["found","accepted","missed","p\
icked","typed"],SMALL_RING=2.2,SMALL_FROM=2e4,MANY=400,BESIDES_SHARE=.5,NO_TONES=new Float64Array(DEEPEST+1),Splat=class{constructor(canvas){
this.canvas=canvas,this.context=contextOf(canvas,{alpha:!1,willReadFrequently:!0}),this.table=new Uint32Array((DEEPEST+1)**
2),this.offsets=new Int32Array(0),this.width=this.height=this.scale=this.margin=this.stride=0,this.image=new ImageData(1,
1),this.pixels=this.cells=this.ground=new Uint32Array(1),this.dotOffsets=new Int32Array(0),this.dotWeights=new Uint32Array(
0),this.opacity=this.dotRadius=this.full=this.densest=this.background=0,this.tableFor=null,this.coloured=!1,this.sprites=
this.smallSprites={},this.spoiled={left:0,top:0,right:0,bottom:0},this.typed=this.picked=null}resize(width,height,scale){
this.scale=scale,this.width=this.canvas.width=Math.max(1,Math.round(width*scale)),this.height=this.canvas.height=Math.max(
1,Math.round(height*scale)),this.image=this.context.createImageData(this.width,this.height),this.pixels=new Uint32Array(
this.image.data.buffer),this.margin=Math.ceil(MARGIN_PX*scale),this.stride=this.width+2*this.margin,this.cells=new Uint32Array(
this.stride*(this.height+2*this.margin)),this.ground=new Uint32Array(this.cells.length)}draw(scene){this.dress(scene),this.
place(scene),this.lay(scene),this.gather(scene),this.paint(scene)}place({points,camera}){let{x,y}=points.arrays;this.offsets.
length!==x.length&&(this.offsets=new Int32Array(x.length));let{offsets,margin,stride,scale}=this,high=this.height+2*margin,
perUnit=camera.scale*scale,left=camera.width/2*scale-camera.cx*perUnit+margin,top=camera.height/2*scale+camera.cy*perUnit+
margin,least=Math.ceil(MARGIN_PX*scale/2);for(let row=0;row<x.length;row++){let px2=Math.floor(x[row]*perUnit+left),py=Math.
floor(top-y[row]*perUnit),seen2=px2>=least&&py>=least&&px2<stride-least&&py<high-least;offsets[row]=seen2?py*stride+px2:
-1}this.#chooseDot(points.header.n,camera)}lay({points,camera,colours,show:show2}){let{ground,margin,stride,scale,height}=this;
ground.fill(this.background);let{besides_x:x=[],besides_y:y=[]}=points.arrays;if(!show2.besides||!x.length)return;let[r,
g,b]=channels(colours.not_relevant),pixel=mixed(this.background,r,g,b,256*BESIDES_SHARE),side=Math.max(1,Math.round((x.length>
SMALL_FROM?1:2)*scale));for(let row=0;row<x.length;row++){let px2=Math.round(camera.pixelX(x[row])*scale-side/2)+margin,
py=Math.round(camera.pixelY(y[row])*scale-side/2)+margin;if(!(px2<0||py<0||px2+side>stride||py+side>height+2*margin))for(let line=py;line<
py+side;line++)ground.fill(pixel,line*stride+px2,line*stride+px2+side)}}#chooseDot(n,camera){let area=camera.width*camera.
height,room=Math.sqrt(area/Math.max(n,1))*Math.sqrt(camera.closeness),radius=Math.min(Math.max(.24*room,.95),3.6),overlap2=n*
Math.PI*radius*radius/(.35*area*camera.closeness**2);this.opacity=Math.min(Math.max(.75/(1+.5*overlap2),.24),.75),this.dotRadius=
radius,this.full=(FINENESS.find(([most])=>overlap2<most)??FINENESS[2])[1],this.densest=Math.min(Math.max(9*overlap2,3),DEEPEST/
this.full),this.#makeDot(radius*this.scale)}#makeDot(radius){let reach=Math.min(Math.ceil(radius),Math.floor(this.margin/
2)),offsets=[],weights2=[];for(let dy=-reach;dy<=reach;dy++)for(let dx=-reach;dx<=reach;dx++){let weight=Math.round(this.
full*discShare(dx,dy,radius));weight&&(offsets.push(dy*this.stride+dx),weights2.push(weight))}this.dotOffsets=Int32Array.
from(offsets),this.dotWeights=Uint32Array.from(weights2)}dress({colours,points}){this.background=pixelOf(colours.background),
this.tableFor=null,this.#spoilAll();let{found,missed}=countsOf(points).rows,shrink=coreShrink(found.length+missed.length);
this.sprites=Object.fromEntries(STAMPS.map(mark=>{let radius=MARK_RADII[mark]*(mark==="typed"||mark==="picked"?1:shrink);
return[mark,spriteOf(mark,radius,this.scale,colours)]}));let small=mark=>spriteOf(mark,SMALL_RING,this.scale,colours);this.
smallSprites={picked:small("picked"),typed:small("typed")}}#mixTable({colours,show:show2}){let key=this.opacity+this.densest;
if(this.tableFor===key)return;this.tableFor=key;let base=channels(colours.background),grey=channels(colours.not_relevant),
blue=channels(colours.relevant),greys=show2.retrieved?this.#tones(this.opacity):NO_TONES,blues=show2.relevant?this.#tones(
stronger(this.opacity)):NO_TONES;for(let g=0;g<=DEEPEST;g++){let under=base.map((value,c)=>value+(grey[c]-value)*greys[g]);
for(let b=0;b<=DEEPEST;b++){let red=under[0]+(blue[0]-under[0])*blues[b],green=under[1]+(blue[1]-under[1])*blues[b],azure=under[2]+
(blue[2]-under[2])*blues[b];this.table[b<<8|g]=4278190080|azure<<16|green<<8|red}}}#tones(opacity){return Float64Array.from(
{length:DEEPEST+1},(_,sum)=>{let dots=sum/this.full;return dots<=1?opacity*dots:opacity+(.97-opacity)*Math.min(1,Math.log(
dots)/Math.log(this.densest))})}gather({relevance,colouring,points,colours}){if(this.coloured=colouring!==null,this.#spoilAll(),
colouring)return this.#gatherColours(colouring,colours,points.header.n);if(this.cells.fill(0),relevance.region==="cosine")
return this.#cover(0,relevance.split,1),this.#cover(relevance.split,relevance.n,65536);for(let row=0;row<relevance.n;row++)
this.#cover(row,row+1,relevance.mask!==null&&bitAt(relevance.mask,row)?65536:1)}shift(before,after){let from=Math.min(before,
after),to=Math.max(before,after);if(this.#spoilRows(from,to),this.coloured)return;let change=65535;this.#cover(from,to,after<
before?change:-change)}#spoilAll(){Object.assign(this.spoiled,{left:0,top:0,right:this.width,bottom:this.height})}#spoilRows(from,to){
let{offsets,stride,margin,spoiled,sprites}=this,reach=Math.max(margin/2,sprites.accepted.reach)+1,[left,top,right,bottom]=[
1/0,1/0,-1/0,-1/0];for(let row=from;row<to;row++){let at=offsets[row];if(at<0)continue;let px2=at%stride;px2<left&&(left=
px2),px2>right&&(right=px2),at<top&&(top=at),at>bottom&&(bottom=at)}if(left===1/0)return;let none=spoiled.right<=spoiled.
left,lower=(now,edge)=>Math.max(0,none?edge:Math.min(now,edge)),higher=(now,edge,most)=>Math.min(most,none?edge:Math.max(
now,edge)),[above2,below]=[top,bottom].map(at=>Math.floor(at/stride));spoiled.left=lower(spoiled.left,left-margin-reach),
spoiled.right=higher(spoiled.right,right-margin+reach+1,this.width),spoiled.top=lower(spoiled.top,above2-margin-reach),spoiled.
bottom=higher(spoiled.bottom,below-margin+reach+1,this.height)}#cover(from,to,unit){let{cells:cells2,offsets,dotOffsets,
dotWeights}=this,n=dotOffsets.length;for(let row=from;row<to;row++){let at=offsets[row];if(!(at<0))for(let k=0;k<n;k++)cells2[at+
dotOffsets[k]]+=unit*dotWeights[k]}}#gatherColours({index,palette},colours,n){let{cells:cells2,offsets,dotOffsets,dotWeights}=this,
paints=palette.map(channels),opacity=stronger(this.opacity),shares=Float64Array.from(dotWeights,weight=>256*opacity*weight/
this.full);cells2.set(this.ground);for(let row=0;row<n;row++){let at=offsets[row];if(at<0)continue;let[r,g,b]=paints[index[row]];
for(let k=0;k<dotOffsets.length;k++){let cell=at+dotOffsets[k];cells2[cell]=mixed(cells2[cell],r,g,b,shares[k])}}}paint(scene){
let{spoiled}=this;(scene.typed!==this.typed||scene.picked!==this.picked)&&this.#spoilAll(),this.typed=scene.typed,this.picked=
scene.picked;let{left,top,right,bottom}=spoiled;right<=left||bottom<=top||(this.#mixTable(scene),this.#colourPixels(),this.#stampAll(
scene),this.context.putImageData(this.image,0,0,left,top,right-left,bottom-top),spoiled.right=spoiled.left)}#colourPixels(){
let{cells:cells2,ground,pixels,table,width,stride,margin,coloured,spoiled}=this;for(let py=spoiled.top;py<spoiled.bottom;py++){
let at=(py+margin)*stride+margin+spoiled.left,end=py*width+spoiled.right;for(let out=py*width+spoiled.left;out<end;out++){
let cell=cells2[at++];if(coloured)pixels[out]=cell;else if(cell===0)pixels[out]=ground[at-1];else{let grey=cell&65535,blue=cell>>>
16;pixels[out]=table[(blue<DEEPEST?blue:DEEPEST)<<8|(grey<DEEPEST?grey:DEEPEST)]}}}}#stampAll({points,relevance,show:show2,
typed,picked}){let{found,missed}=countsOf(points).rows;if(typed&&this.#ring("typed",typed),show2.missed)for(let i=0;i<missed.
length;i++)this.#stamp(this.sprites.missed,missed[i]);if(show2.found){let{found:plain,accepted}=this.sprites;for(let i=0;i<
found.length;i++)this.#stamp(relevance.has(found[i])?accepted:plain,found[i])}this.#ring("picked",picked)}#ring(mark,rows){
let sprite=(rows.length>MANY?this.smallSprites:this.sprites)[mark];for(let i=0;i<rows.length;i++)this.#stamp(sprite,rows[i])}#stamp({
dots,reach},row){let offset=this.offsets[row];if(offset===void 0||offset<0)return;let{pixels,width,stride,margin}=this,{
left,top,right,bottom}=this.spoiled,px2=offset%stride-margin,py=Math.floor(offset/stride)-margin;if(px2+reach<left||py+reach<
top||px2-reach>=right||py-reach>=bottom)return;let whole=px2-reach>=left&&py-reach>=top&&px2+reach<right&&py+reach<bottom;
for(let k=0;k<dots.length;k+=6){let x=px2+dots[k],y=py+dots[k+1];if(!whole&&(x<left||y<top||x>=right||y>=bottom))continue;
let at=y*width+x;pixels[at]=mixed(pixels[at],dots[k+2],dots[k+3],dots[k+4],dots[k+5]+(dots[k+5]>>7))}}};function discShare(dx,dy,radius){
let inside=0;for(let j=0;j<SAMPLES_PER_SIDE;j++)for(let i=0;i<SAMPLES_PER_SIDE;i++){let x=dx+(i+.5)/SAMPLES_PER_SIDE-.5,
y=dy+(j+.5)/SAMPLES_PER_SIDE-.5;x*x+y*y<=radius*radius&&inside++}return inside/SAMPLES_PER_SIDE**2}function stronger(opacity){
return Math.min(.95,1.25*opacity+.1)}function mixed(pixel,r,g,b,share2){let r0=pixel&255,g0=pixel>>8&255,b0=pixel>>16&255;
return 4278190080|b0+((b-b0)*share2>>8)<<16|g0+((g-g0)*share2>>8)<<8|r0+((r-r0)*share2>>8)}var LEGEND=[{name:"besides",label:"Not retrieved"},{name:"retrieved",label:"Not relevant"},{name:"relevant",label:"Relev\
ant"},{name:"found",label:"Core found"},{name:"missed",label:"Core missed"}],LINES=[{name:"labels",label:"Names of theme\
s"},{name:"contours",label:"Contours"}],OF_REGION=["retrieved","relevant"],ICON=16;function allShown(){return Object.fromEntries(
[...LEGEND,...LINES].map(({name})=>[name,!0]))}var Legend=class{constructor(toggle){this.buttons=Object.fromEntries(LEGEND.
map(({name,label:label2})=>{let icon=make("canvas",{class:"legend-icon","aria-hidden":"true"}),button2=make("button",{type:"\
button",class:"legend-entry","data-role":name},icon,label2);return button2.addEventListener("click",()=>toggle(name)),[name,
{button:button2,icon}]})),this.key=make("span",{class:"legend-key",hidden:""});let buttons=Object.values(this.buttons).map(
({button:button2})=>button2);this.element=make("div",{class:"legend",role:"group","aria-label":"Marks to show"},...buttons),
this.drawnFor=null}follow({colours,show:shown,points,theme},colourBy){for(let[name,{button:button2}]of Object.entries(this.
buttons))attribute(button2,"aria-pressed",String(shown[name])),show(button2,(colourBy==="region"||!OF_REGION.includes(name))&&
(name!=="besides"||hasBesides(points)));show(this.key,colourBy!=="region");let needs=[colours,colourBy,points];if(!this.
drawnFor?.every((need,i)=>need===needs[i])){this.drawnFor=needs;for(let[name,{icon}]of Object.entries(this.buttons))drawIcon(
icon,name,colours);colourBy!=="region"&&this.#fillKey(keyOf(colourBy,points,theme),points.header.categories[theme],colours)}}#fillKey({
title,ramp,low="",high="",names=[]},categories,colours){if(this.key.replaceChildren(make("span",{class:"key-title"},title)),
ramp){let bar2=make("span",{class:"key-ramp"});bar2.style.background=`linear-gradient(to right, ${ramp.filter((_,i)=>i%15===
0).join(", ")})`,this.key.append(make("span",{},low),bar2,make("span",{},high));return}let entries=names.map((text,i)=>[
text,categories[i]]);title==="Theme"&&entries.push(["other",colours.not_relevant]);for(let[text,colour]of entries){let dot=make(
"span",{class:"key-dot"});dot.style.background=colour,this.key.append(make("span",{class:"key-name",title:text},dot,text))}}};
function drawIcon(canvas,name,colours){let scale=Math.min(2,globalThis.devicePixelRatio||1);canvas.width=canvas.height=ICON*
scale;let context=contextOf(canvas);context&&(context.scale(scale,scale),drawLegendMark(context,name,ICON/2,ICON/2,colours))}
function drawLegendMark(context,name,x,y,colours){if(context.save(),name==="found"||name==="missed")drawMark(context,name,
x,y,4.6,colours);else{context.fillStyle=name==="relevant"?colours.relevant:colours.not_relevant,context.globalAlpha=name===
"besides"?BESIDES_SHARE:1;for(let[dx,dy]of[[-3.2,1.8],[2.8,2.6],[.4,-3]])context.beginPath(),context.arc(x+dx,y+dy,name===
"besides"?1.2:2,0,2*Math.PI),context.fill()}context.restore()}function hasBesides({arrays}){return!!arrays.besides_x?.length}
var EARLY_SHARE=.02,YEAR_SPAN_OF=new WeakMap,COLOURINGS=[{value:"region",label:"Region",help:"Blue if the region calls i\
t relevant, grey if not"},{value:"decay",label:"Decay",help:"The decay left if a publication and all more similar ones w\
ere relevant"},{value:"year",label:"Year",help:"Year of publication"},{value:"theme",label:"Theme",help:"Theme of the la\
ndscape that contains the publication"},{value:"source",label:"Found by",help:"Number of query versions that retrieve it"}];
function colouringOf(how,{points,curve,colours,theme}){if(how==="region"||!COLOURINGS.some(({value})=>value===how)||how===
"decay"&&curve?.arrays.decay.length!==points.header.n+1)return null;let by={decay:byDecay,year:byYear,theme:byTheme,source:bySource}[how],
{indexOf,palette}=by(points,curve,colours,theme),index=new Uint8Array(points.header.n);for(let row=0;row<index.length;row++)
index[row]=indexOf(row);return{how,index,palette}}function keyOf(how,points,theme){let{header}=points;if(how==="decay")return{
title:"Decay left",ramp:header.ramps.decay[theme],low:"0",high:"1"};if(how==="year"){let{low,high,early}=yearSpan(points);
return{title:"Year",ramp:header.ramps.year[theme],low:`${early?"≤ ":""}${low}`,high:`${high}`}}let names=how==="theme"?
header.group_names??[]:(header.sources??[]).map((_,i)=>`by ${i+1}`);return{title:how==="theme"?"Theme":"Found",names:names.
slice(0,header.categories[theme].length)}}function byDecay(points,curve,colours,theme){let{decay}=curve.arrays;return{palette:points.
header.ramps.decay[theme],indexOf:row=>Math.round(255*decay[row])}}function byYear(points,curve,colours,theme){let{low,high}=yearSpan(
points),{year}=points.arrays,palette=[...points.header.ramps.year[theme].slice(0,255),colours.not_relevant],per=254/Math.
max(high-low,1),along=known=>Math.round(Math.min(Math.max((known-low)*per,0),254));return{palette,indexOf:row=>year[row]?
along(year[row]):255}}function byTheme(points,curve,colours,theme){let palette=[...points.header.categories[theme],colours.
not_relevant],{group}=points.arrays;return{palette,indexOf:row=>Math.min(group[row],palette.length-1)}}function bySource(points,curve,colours,theme){
let palette=[colours.not_relevant,...points.header.categories[theme]],{source}=points.arrays;return{palette,indexOf:row=>Math.
min(sourcesOf(source[row]),palette.length-1)}}function yearSpan(points){if(!YEAR_SPAN_OF.has(points)){let years=points.arrays.
year.slice(0,points.header.n).filter(year=>year>0).sort(),low=years[Math.floor(EARLY_SHARE*years.length)]??0;YEAR_SPAN_OF.
set(points,{low,high:years.at(-1)??0,early:years.length>0&&years[0]<low})}return YEAR_SPAN_OF.get(points)}var ROWS_PER_CELL=4,MOST_CELLS_PER_SIDE=384,GRIDS=new WeakMap;function gridOf(points){return GRIDS.has(points)||GRIDS.set(
points,new RowGrid(points.arrays.x,points.arrays.y)),GRIDS.get(points)}var RowGrid=class{constructor(x,y){this.x=x,this.
y=y,this.side=Math.max(1,Math.min(MOST_CELLS_PER_SIDE,Math.ceil(Math.sqrt(x.length/ROWS_PER_CELL))));let[x0,y0,x1,y1]=boundsOf(
x,y);this.x0=x0,this.y0=y0,this.perX=this.side/Math.max(x1-x0,1e-9),this.perY=this.side/Math.max(y1-y0,1e-9);let n=x.length;
this.starts=new Uint32Array(this.side*this.side+2);for(let row=0;row<n;row++)this.starts[this.#cellOf(row)+2]++;for(let cell=2;cell<
this.starts.length;cell++)this.starts[cell]+=this.starts[cell-1];this.rows=new Uint32Array(n);for(let row=0;row<n;row++)
this.rows[this.starts[this.#cellOf(row)+1]++]=row}nearest(px2,py,reach,head=(()=>0)){let best=-1,least=reach,[i0,i1,j0,j1]=this.#cells(
px2-reach,py-reach,px2+reach,py+reach);for(let j=j0;j<=j1;j++){let from=this.starts[j*this.side+i0],to=this.starts[j*this.
side+i1+1];for(let k=from;k<to;k++){let row=this.rows[k],away=Math.hypot(this.x[row]-px2,this.y[row]-py);away>reach||away-
head(row)>least||(best=row,least=away-head(row))}}return best}inside(polygon){let[left,low,right,high]=boundsOf(polygon.
filter((_,i)=>i%2===0),polygon.filter((_,i)=>i%2)),found=[],[i0,i1,j0,j1]=this.#cells(left,low,right,high);for(let j=j0;j<=
j1;j++)for(let k=this.starts[j*this.side+i0];k<this.starts[j*this.side+i1+1];k++){let row=this.rows[k];isInside(polygon,
this.x[row],this.y[row])&&found.push(row)}return Uint32Array.from(found).sort()}#cellOf(row){let i=this.#clamp((this.x[row]-
this.x0)*this.perX);return this.#clamp((this.y[row]-this.y0)*this.perY)*this.side+i}#cells(left,low,right,high){return[this.#clamp(
(left-this.x0)*this.perX),this.#clamp((right-this.x0)*this.perX),this.#clamp((low-this.y0)*this.perY),this.#clamp((high-
this.y0)*this.perY)]}#clamp(cell){return cell>0?Math.min(Math.floor(cell),this.side-1):0}};function isInside(polygon,x,y){
let inside=!1,n=polygon.length;for(let i=0,j=n-2;i<n;j=i,i+=2){let yi=polygon[i+1],yj=polygon[j+1];yi>y!=yj>y&&x<(polygon[j]-
polygon[i])*(y-yi)/(yj-yi)+polygon[i]&&(inside=!inside)}return inside}var HoverCard=class{constructor(){this.title=make(
"p",{class:"card-title"}),this.facts=make("p",{class:"card-facts"}),this.why=make("p",{class:"card-why"}),this.element=make(
"div",{class:"hover-card","aria-hidden":"true",hidden:""}),this.element.append(this.title,this.facts,this.why),this.row=
-1}show(row,px2,py,width,height,scene,live){this.row=row;let{points,relevance}=scene;write(this.title,titlesOf(points).title(
row)||"Untitled"),write(this.facts,factsOf(row,points,relevance).join(" · ")),write(this.why,whyOf(row,points,relevance,
live)),show(this.element,!0);let{x,y}=placeCard(px2,py,this.element.offsetWidth,this.element.offsetHeight,width,height);
this.element.style.transform=`translate(${x}px, ${y}px)`}hide(){this.row=-1,show(this.element,!1)}};function factsOf(row,{
header,arrays},relevance){let facts=[];return arrays.year[row]&&facts.push(String(arrays.year[row])),facts.push(`similar\
ity ${fixedThree(arrays.similarity[row])}`),row>=header.n?facts.push("core missed"):arrays.core[row]&&facts.push(relevance.
has(row)?"core found and accepted":"core found"),facts}function whyOf(row,{header,arrays},relevance,live){if(row>=header.
n)return"The query did not retrieve it, so no region can accept it.";let inside=relevance.has(row);if(live.region==="cos\
ine"&&!relevance.reason){let least=fixedThree(live.min_similarity),close=fixedThree(arrays.similarity[row])===least?"at":
inside?"above":"below";return`${inside?"Relevant":"Not relevant"}: its similarity is ${close} the similarity threshold o\
f ${least}.`}let label2=header.kinds.find(({kind})=>kind===live.region)?.label??live.region;return relevance.reason?`${label2}\
 is undefined: ${relevance.reason}.`:inside?`Relevant: ${label2} accepts it.`:`Not relevant: ${label2} excludes it.`}var OUTLINES={mvee:{role:"ellipsoid",dash:[8,4]},hull:{role:"hull",dash:[]}},PATHS_OF=new WeakMap,LABEL_SIZES=[13,12,11],
LEVEL_FROM=[0,1.35,3],LABEL_GAP=6,LABEL_LIMIT=40,LABEL_ROOM={top:46,bottom:38},Overlay=class{constructor(canvas){this.canvas=
canvas,this.context=contextOf(canvas,{willReadFrequently:!0}),this.font="sans-serif"}resize(width,height,scale){this.scale=
scale,this.width=width,this.height=height,this.canvas.width=Math.max(1,Math.round(width*scale)),this.canvas.height=Math.
max(1,Math.round(height*scale))}draw(scene){let{context,scale}=this;context.setTransform(scale,0,0,scale,0,0),context.clearRect(
0,0,this.width,this.height),scene.show.contours&&this.#contours(scene),scene.regions&&this.#outlines(scene),scene.show.labels&&
this.#labels(scene),this.#focus(scene)}#stroke(path,camera){let{context,scale}=this,s=camera.scale*scale;context.setTransform(
s,0,0,-s,camera.pixelX(0)*scale,camera.pixelY(0)*scale),context.lineWidth/=camera.scale,context.setLineDash(context.getLineDash().
map(dash=>dash/camera.scale)),context.stroke(path),context.setTransform(scale,0,0,scale,0,0),context.setLineDash([])}#contours({
points,camera,colours}){let{context}=this;context.strokeStyle=colours.faint;for(let[depth,path]of contourPaths(points).entries())
context.globalAlpha=.3+.06*depth,context.lineWidth=1,this.#stroke(path,camera);context.globalAlpha=1}#outlines({regions,
camera,colours,region,hovered}){let{context}=this;for(let[kind,path]of outlinePaths(regions)){let current=kind===region;
!current&&kind!==hovered||(context.strokeStyle=colours[OUTLINES[kind].role],context.globalAlpha=current?1:.5,context.lineWidth=
current?2.4:1.3,context.setLineDash(OUTLINES[kind].dash),this.#stroke(path,camera))}context.globalAlpha=1}#labels({points,
camera,colours}){let{context}=this;context.textAlign="center",context.textBaseline="middle",context.lineJoin="round",context.
lineWidth=3.5;let measure=(text,level)=>(context.font=labelFont(level,this.font),context.measureText(text).width);for(let{
text,level,px:px2,py}of placedLabels(points.header.groups??[],camera,measure))context.font=labelFont(level,this.font),context.
strokeStyle=colours.background,context.globalAlpha=.85,context.strokeText(text,px2,py),context.globalAlpha=1,context.fillStyle=
colours.text,context.fillText(text,px2,py)}#focus({points,camera,colours,focused}){if(focused===null||focused>=points.arrays.
x.length)return;let px2=camera.pixelX(points.arrays.x[focused]),py=camera.pixelY(points.arrays.y[focused]);drawMark(this.
context,"focused",px2,py,MARK_RADII.focused,colours)}};function contourPaths(points){return PATHS_OF.has(points)||PATHS_OF.
set(points,contoursOf(points).map(pathOf)),PATHS_OF.get(points)}function outlinePaths(regions){if(!PATHS_OF.has(regions)){
let kinds=Object.keys(OUTLINES).filter(kind=>regions.arrays[`outline_${kind}`]?.length);PATHS_OF.set(regions,kinds.map(kind=>[
kind,pathOf([regions.arrays[`outline_${kind}`]])]))}return PATHS_OF.get(regions)}function pathOf(lines){let path=new Path2D;
for(let line of lines){path.moveTo(line[0],line[1]);for(let i=2;i<line.length;i+=2)path.lineTo(line[i],line[i+1]);path.closePath()}
return path}function labelFont(level,family){return`${level===0?600:500} ${LABEL_SIZES[level]??11}px ${family}`}function placedLabels(groups,camera,measure){
let placed=[],wanted=groups.filter(({level})=>camera.closeness>=(LEVEL_FROM[level]??3));wanted.sort((a,b)=>a.level-b.level||
b.n-a.n);for(let{text,x,y,level}of wanted){let px2=camera.pixelX(x),py=camera.pixelY(y);if(px2<0||py<LABEL_ROOM.top||px2>
camera.width||py>camera.height-LABEL_ROOM.bottom)continue;let width=measure(text,level),box={text,level,px:Math.min(Math.
max(px2,width/2+4),camera.width-width/2-4),py,width};if(!placed.some(other=>overlap(box,other))&&(placed.push(box),placed.
length>=LABEL_LIMIT))break}return placed}function overlap(a,b){let high=((LABEL_SIZES[a.level]??11)+(LABEL_SIZES[b.level]??
11))/2+LABEL_GAP;return Math.abs(a.px-b.px)<(a.width+b.width)/2+LABEL_GAP&&Math.abs(a.py-b.py)<high}var CELLS=120,SMOOTHING=[
[1e3,5],[5e3,3],[1/0,2]],CONTOURS_OF=new WeakMap,CONTOUR_SHARES=[.95,.8,.55,.3];function contoursOf(points){if(!CONTOURS_OF.
has(points)){let{arrays,header}=points,grid=densityGrid(arrays.x,arrays.y,header.n,header.bounds);CONTOURS_OF.set(points,
levelsAt(grid,CONTOUR_SHARES).map(level=>contourLines(grid,level)))}return CONTOURS_OF.get(points)}function densityGrid(x,y,n,[
x0,y0,x1,y1]){let step=Math.max(x1-x0,y1-y0,1e-9)/CELLS,reach=SMOOTHING.find(([most])=>n<most)?.[1]??0,margin=3*reach+2,
wide=Math.ceil((x1-x0)/step)+1+2*margin,high=Math.ceil((y1-y0)/step)+1+2*margin,grid={values:new Float32Array(wide*high),
wide,high,step,x0:x0-margin*step,y0:y0-margin*step};for(let row=0;row<n;row++){let i=Math.round((x[row]-grid.x0)/step),j=Math.
round((y[row]-grid.y0)/step);i>=margin&&j>=margin&&i<wide-margin&&j<high-margin&&grid.values[j*wide+i]++}let scratch=new Float32Array(
grid.values.length);for(let pass=0;pass<3;pass++)smooth(grid.values,scratch,wide,high,1,wide,reach),smooth(scratch,grid.
values,high,wide,wide,1,reach);return grid}function smooth(from,to,along,across,step,line,reach){for(let j=0;j<across;j++){
let sum=0;for(let i=-reach;i<along;i++)i+reach<along&&(sum+=from[j*line+(i+reach)*step]),i-reach-1>=0&&(sum-=from[j*line+
(i-reach-1)*step]),i>=0&&(to[j*line+i*step]=sum/(2*reach+1))}}function levelsAt(grid,shares){let sorted=Float32Array.from(
grid.values).sort().reverse(),total=sorted.reduce((sum,value)=>sum+value,0);return shares.map(share2=>{let held=0;for(let value of sorted)
if((held+=value)>=share2*total)return value;return 0}).filter(level=>level>0)}function contourLines(grid,level){let links=crossings(
grid,level),done=new Set,lines=[];for(let first of links.keys()){if(done.has(first))continue;let line=[],before=-1,edge=first;
for(;edge!==void 0&&!done.has(edge);){done.add(edge),line.push(...placeOnEdge(grid,edge,level));let next=links.get(edge).
find(other=>other!==before&&!done.has(other));before=edge,edge=next}line.length>=6&&lines.push(Float32Array.from(line))}
return lines}function crossings({values,wide,high},level){let links=new Map,link=(a,b)=>{links.has(a)||links.set(a,[]),links.
has(b)||links.set(b,[]),links.get(a).push(b),links.get(b).push(a)};for(let j=0;j<high-1;j++)for(let i=0;i<wide-1;i++){let corner=j*
wide+i,a=values[corner]>level,b=values[corner+1]>level,c=values[corner+wide+1]>level,d=values[corner+wide]>level;if(a===
b&&b===c&&c===d)continue;let[below,right,above2,left]=[2*corner,2*corner+3,2*(corner+wide),2*corner+1],edges=[below,right,
above2,left],crosses=[a!==b,b!==c,c!==d,d!==a],crossed=edges.filter((_,side)=>crosses[side]);crossed.length===2?link(crossed[0],
crossed[1]):joinSaddle(link,edges,a,middleAbove(values,corner,wide,level))}return links}function middleAbove(values,corner,wide,level){
return(values[corner]+values[corner+1]+values[corner+wide]+values[corner+wide+1])/4>level}function joinSaddle(link,[below,
right,above2,left],firstAbove,middle){firstAbove===middle?(link(below,right),link(above2,left)):(link(below,left),link(above2,
right))}function placeOnEdge({values,wide,step,x0,y0},edge,level){let corner=edge>>1,upward=edge&1,from=values[corner],share2=(level-
from)/(values[corner+(upward?wide:1)]-from),i=corner%wide,j=(corner-i)/wide;return upward?[x0+i*step,y0+(j+share2)*step]:
[x0+(i+share2)*step,y0+j*step]}var PNG_SCALE=2,HEAD=58,FOOT=62,EDGE=20,CAPTION="Distances are not cosines: only neighbourhoods are reliable.";function headOf({
points,relevance},live){let{header}=points,label2=header.kinds.find(({kind})=>kind===live.region)?.label??live.region,by=live.
region==="cosine"?`similarity ≥ ${fixedThree(live.min_similarity)}`:label2,counts=relevance.reason?`${label2} is undef\
ined: ${relevance.reason}`:`${count(relevance.nRelevant)} of ${count(relevance.n)} publications relevant (${by}), ${count(
relevance.nAccepted)} of ${count(header.n_core)} core publications accepted`;return{title:`${topicTitle(header)}: ${header.
version}`,counts}}function pngOf(scene,live,font){let{camera,colours}=scene,canvas=document.createElement("canvas");canvas.
width=camera.width*PNG_SCALE,canvas.height=(camera.height+HEAD+FOOT)*PNG_SCALE;let context=contextOf(canvas);context.fillStyle=
colours.background,context.fillRect(0,0,canvas.width,canvas.height);let lines=new Overlay(document.createElement("canvas"));
lines.font=font;for(let layer of[new Splat(document.createElement("canvas")),lines])layer.resize(camera.width,camera.height,
PNG_SCALE),layer.draw(scene),context.drawImage(layer.canvas,0,HEAD*PNG_SCALE);return context.scale(PNG_SCALE,PNG_SCALE),
drawHead(context,scene,live,font),drawFoot(context,scene,font),new Promise(resolve=>canvas.toBlob(resolve,"image/png"))}
function drawHead(context,scene,live,font){let{title,counts}=headOf(scene,live);context.textBaseline="alphabetic",context.
fillStyle=scene.colours.text,context.font=`600 18px ${font}`,context.fillText(title,EDGE,26,scene.camera.width-2*EDGE),context.
fillStyle=scene.colours.faint,context.font=`13px ${font}`,context.fillText(counts,EDGE,46,scene.camera.width-2*EDGE)}function drawFoot(context,scene,font){
let{camera,colours}=scene,y=HEAD+camera.height+22;context.font=`12px ${font}`;let x=EDGE;for(let{name,label:label2,colour}of footEntries(
scene))colour?(context.fillStyle=colour,context.fillRect(x,y-9,name==="ramp"?5:9,9)):name&&drawLegendMark(context,name,x+
6,y-4,colours),context.fillStyle=colours.text,context.fillText(label2,x+(name==="ramp"?0:17),y),x+=name==="ramp"?5:context.
measureText(label2).width+33;context.fillStyle=colours.faint,context.fillText(captionOf(scene),EDGE,y+24,camera.width-2*
EDGE)}function captionOf({points}){return points.header.embedder?`${CAPTION} Embedding: ${points.header.embedder}.`:CAPTION}
function footEntries({show:show2,colouring,points,theme,colours}){let marks=LEGEND.filter(({name})=>show2[name]&&(name!==
"besides"||hasBesides(points)));if(!colouring)return marks;let{title,ramp,low,high,names=[]}=keyOf(colouring.how,points,
theme),rest=marks.filter(({name})=>name==="found"||name==="missed");if(ramp){let steps=ramp.filter((_,i)=>i%15===0).map(
colour=>({name:"ramp",label:"",colour}));return[{label:`${title} ${low}`},...steps,{label:high??""},...rest]}let categories=names.
map((label2,i)=>({name:"category",label:label2,colour:points.header.categories[theme][i]})),other={name:"category",label:"\
other",colour:colours.not_relevant};return[...categories,...title==="Theme"?[other]:[],...rest]}function svgOf(scene,splat,live,font){
let{camera,colours}=scene,high=camera.height+HEAD+FOOT,{title,counts}=headOf(scene,live),root=svgSheet(camera.width,high,
{title,description:`${counts}. ${captionOf(scene)}`,background:colours.background,"font-family":font}),clip=svgElement("\
clipPath",{id:"frame"});clip.append(svgElement("rect",{width:camera.width,height:camera.height}));let inner=svgElement("\
g",{transform:`translate(0 ${HEAD})`,"clip-path":"url(#frame)"});return inner.append(...vectorBesides(scene),...vectorDots(
scene,splat),...vectorLines(scene),vectorCore(scene),...vectorLabels(scene,font)),root.append(clip,inner,...vectorWords(
scene,title,counts)),svgText(root)}function vectorBesides({points,camera,colours,show:show2}){let{besides_x:x=[],besides_y:y=[]}=points.
arrays;if(!show2.besides||!x.length)return[];let dots=Array.from(x,(_,row)=>`M${camera.pixelX(x[row]).toFixed(1)} ${camera.
pixelY(y[row]).toFixed(1)}h0`),look={fill:"none","stroke-linecap":"round","stroke-width":2,"stroke-opacity":BESIDES_SHARE};
return[svgElement("path",{d:dots.join(""),stroke:colours.not_relevant,...look})]}function vectorDots({points,camera,relevance,
colours,colouring,show:show2},splat){let{x,y}=points.arrays,paths=new Map;for(let row=0;row<points.header.n;row++){let px2=camera.
pixelX(x[row]),py=camera.pixelY(y[row]);if(px2<-4||py<-4||px2>camera.width+4||py>camera.height+4)continue;let relevant=relevance.
has(row);if(!colouring&&!show2[relevant?"relevant":"retrieved"])continue;let byRegion=relevant?colours.relevant:colours.
not_relevant,colour=colouring?colouring.palette[colouring.index[row]]:byRegion;paths.has(colour)||paths.set(colour,[]),paths.
get(colour).push(`M${px2.toFixed(1)} ${py.toFixed(1)}h0`)}return[...paths].map(([stroke,dots])=>svgElement("path",{d:dots.
join(""),stroke,fill:"none","stroke-linecap":"round","stroke-width":(2*splat.dotRadius).toFixed(2),"stroke-opacity":Math.
min(1,splat.opacity+.2).toFixed(2)}))}function vectorLines({points,regions,camera,colours,show:show2,region}){let lines=[];
if(show2.contours)for(let level of contoursOf(points)){let d=level.map(line=>vectorPath(line,camera)).join("");lines.push(
svgElement("path",{d,fill:"none",stroke:colours.faint,"stroke-opacity":.3}))}for(let[kind,{role,dash}]of Object.entries(
OUTLINES)){let outline=regions?.arrays[`outline_${kind}`];!outline?.length||kind!==region||lines.push(svgElement("path",
{d:vectorPath(outline,camera),fill:"none",stroke:colours[role],"stroke-dasharray":dash.join(" "),"stroke-width":2.4}))}return lines}
function vectorPath(line,camera){let places=[];for(let i=0;i<line.length;i+=2)places.push(`${camera.pixelX(line[i]).toFixed(
1)} ${camera.pixelY(line[i+1]).toFixed(1)}`);return`M${places.join("L")}Z`}function vectorCore({points,camera,relevance,
colours,show:show2}){let{found,missed}=countsOf(points).rows,titles=titlesOf(points),group=svgElement("g"),radius=MARK_RADII.
found*coreShrink(found.length+missed.length),mark=(row,look)=>{let cx=camera.pixelX(points.arrays.x[row]).toFixed(1),cy=camera.
pixelY(points.arrays.y[row]).toFixed(1),circle2=svgElement("circle",{cx,cy,r:radius,...look});circle2.append(svgElement(
"title",{},titles.title(row))),group.append(circle2)},looks={missed:{fill:colours.background,stroke:colours.core,"stroke\
-width":1.7},accepted:{fill:colours.core,stroke:colours.core_edge,"stroke-width":1.4},found:{fill:colours.core,stroke:colours.
background,"stroke-width":.9}};if(show2.missed)for(let row of missed)mark(row,looks.missed);if(show2.found)for(let row of found)
mark(row,relevance.has(row)?looks.accepted:looks.found);return group}function vectorLabels({points,camera,colours,show:show2},font){
if(!show2.labels)return[];let context=contextOf(document.createElement("canvas")),measure=(text,level)=>(context.font=labelFont(
level,font),context.measureText(text).width),look={"text-anchor":"middle",fill:colours.text,stroke:colours.background,"s\
troke-width":3.5,"stroke-linejoin":"round","paint-order":"stroke"};return placedLabels(points.header.groups??[],camera,measure).
map(({text,level,px:px2,py})=>{let[weight,size,...family]=labelFont(level,font).split(" "),face={"font-weight":weight,"f\
ont-size":size,"font-family":family.join(" ")};return svgElement("text",{...look,x:px2.toFixed(1),y:(py+4).toFixed(1),...face},
text)})}function vectorWords(scene,title,counts){let{camera,colours}=scene,y=HEAD+camera.height+22,words2=[svgElement("t\
ext",{x:EDGE,y:26,"font-size":18,"font-weight":600,fill:colours.text},title),svgElement("text",{x:EDGE,y:46,"font-size":13,
fill:colours.faint},counts),svgElement("text",{x:EDGE,y:y+24,"font-size":12,fill:colours.faint},captionOf(scene))],x=EDGE;
for(let{name,label:label2,colour}of footEntries(scene)){let width=name==="ramp"?5:9;name&&words2.push(vectorMark(name,x,
y,width,colour,colours)),label2&&words2.push(svgElement("text",{x:x+17,y,"font-size":12,fill:colours.text},label2)),x+=name===
"ramp"?width:label2.length*6.4+33}return words2}function vectorMark(name,x,y,width,colour,colours){if(colour)return svgElement(
"rect",{x,y:y-9,width,height:9,fill:colour});let looks={retrieved:{fill:colours.not_relevant},relevant:{fill:colours.relevant},
found:{fill:colours.core,stroke:colours.core_edge,"stroke-width":1.5},missed:{fill:colours.background,stroke:colours.core,
"stroke-width":1.7},besides:{fill:colours.not_relevant,"fill-opacity":BESIDES_SHARE}};return svgElement("circle",{cx:x+6,
cy:y-4,r:4.6,...looks[name]})}var SHARPEST=2,FOOT_GAP=16,ZOOM_KEY=/Mac|iP(ad|hone)/.test(globalThis.navigator?.platform??"")?"⌘":"Ctrl",HINT_MS=1200,
Stage=class{constructor(){this.points=make("canvas",{class:"layer","data-testid":"landscape-points","aria-hidden":"true"}),
this.lines=make("canvas",{class:"layer lines","data-testid":"landscape-overlay",tabindex:"0",role:"application","aria-la\
bel":"Landscape"}),this.lasso=svgElement("path",{class:"lasso"}),this.ring=svgElement("circle",{class:"hover-ring",r:7,visibility:"\
hidden"}),this.handLayer=svgElement("svg",{class:"layer hand-layer","aria-hidden":"true"}),this.handLayer.append(this.lasso,
this.ring),this.message=make("div",{class:"stage-message",hidden:""}),this.hint=make("div",{class:"zoom-hint","aria-hidd\
en":"true"},`Hold ${ZOOM_KEY} to zoom`),this.element=make("div",{class:"stage"},this.points,this.lines,this.handLayer,this.
hint,this.message),this.splat=new Splat(this.points),this.overlay=new Overlay(this.lines),this.foot=null,this.works=!!(this.
splat.context&&this.overlay.context),this.camera=new Camera,this.scene={camera:this.camera,show:allShown(),colouring:null,
picked:new Uint32Array(0),typed:null,focused:null,hovered:null},this.stale={dress:!0,place:!0,gather:!0,lines:!0}}resize(){
let{clientWidth:width,clientHeight:height}=this.element,scale=Math.min(SHARPEST,globalThis.devicePixelRatio||1),{camera,
splat}=this;return!this.works||!width||!height||width===camera.width&&height===camera.height&&scale===splat.scale?!1:(camera.
insets.bottom=Math.max(INSETS.bottom,(this.foot?.offsetHeight??0)+FOOT_GAP),camera.resize(width,height),splat.resize(width,
height,scale),this.overlay.resize(width,height,scale),this.spoil("dress","place"),!0)}spoil(...what){for(let name of what)
this.stale[name]=!0}draw(change,splitBefore){let{splat,scene,stale}=this;!this.works||!this.camera.width||(stale.dress&&
splat.dress(scene),stale.place&&splat.place(scene),(stale.place||stale.dress)&&splat.lay(scene),stale.place||stale.gather||
change==="all"?splat.gather(scene):change==="split"&&splat.shift(splitBefore,scene.relevance.split),splat.paint(scene),(stale.
place||stale.lines||stale.dress)&&this.overlay.draw(scene),stale.dress=stale.place=stale.gather=stale.lines=!1)}sayZoom(){
clearTimeout(this.hiding),this.hint.classList.add("on"),this.hiding=setTimeout(()=>this.hint.classList.remove("on"),HINT_MS)}drawLasso(path){
attribute(this.lasso,"d",path?`M${path.map(at=>at.toFixed(1)).join(" ")}Z`:null)}drawRing(row){let{points}=this.scene;attribute(
this.ring,"visibility",row<0?"hidden":"visible"),!(row<0)&&(attribute(this.ring,"cx",this.camera.pixelX(points.arrays.x[row]).
toFixed(1)),attribute(this.ring,"cy",this.camera.pixelY(points.arrays.y[row]).toFixed(1)))}say(text,button2=null){show(this.
message,text!==null),this.element.classList.toggle("without-picture",text!==null),attribute(this.lines,"tabindex",text===
null?0:-1),text!==null&&this.message.replaceChildren(make("p",{},text),...button2?[button2]:[])}};var Toolbar=class{constructor(store,actions){this.store=store,this.actions=actions,this.points=null,this.find=make("inpu\
t",{type:"search",class:"field find",placeholder:"Find in titles","aria-label":"Find in titles","data-testid":"find",autocomplete:"\
off",spellcheck:"false"}),this.find.addEventListener("input",()=>this.#search()),this.find.addEventListener("keydown",event=>this.#keyInFind(
event)),this.findNote=make("span",{class:"note",role:"status",hidden:""}),this.pickText=make("span",{});let says2="Clear\
 the picked publications",clear=button("×",()=>actions.clear(),{kind:"note-clear","aria-label":says2,title:says2});this.
pickNote=make("span",{class:"note picked",hidden:""},this.pickText,clear),this.notice=make("span",{class:"note notice",role:"\
status",hidden:""});let findBox=make("div",{class:"find-box"},this.find,this.findNote,this.pickNote,this.notice),options=COLOURINGS.
map(({value,label:label2,help})=>make("option",{value,title:help},label2)),look={class:"field colour-by","aria-label":"C\
olour by",title:"Colour by"};this.colours=make("select",{...look,"data-setting":"colour_by"},...options),this.colours.addEventListener(
"change",()=>actions.colourBy(this.colours.value));let colourBy=make("label",{class:"colour-label"},make("span",{class:"\
only-wide"},"Colour by"),this.colours);this.lasso=toolButton("Lasso: draw around publications to pick them","lasso"),this.
lasso.addEventListener("click",()=>actions.lasso(this.lasso.getAttribute("aria-pressed")!=="true")),this.setLasso(!1);let home=toolButton(
"Show the whole landscape","home");home.addEventListener("click",()=>actions.home());let lines=LINES.map(({name,label:label2})=>{
let box=make("input",{type:"checkbox",checked:"","data-role":name});return box.addEventListener("change",()=>actions.toggle(
name)),make("label",{class:"menu-entry"},box,label2)}),files=["PNG","SVG"].map(kind=>button(`Save as ${kind}`,()=>{actions.
save(kind),this.menu.open(!1)},{kind:"menu-entry"})),panel=make("div",{class:"menu",role:"group","aria-label":"Picture"},
...lines,...files);this.menu=new Foldout(button("Picture",()=>{},{kind:"tool words more"}),panel);let buttons=make("div",
{class:"tools-right"},colourBy,this.lasso,home,this.menu.opener,panel);this.element=make("div",{class:"tools"},findBox,buttons)}destroy(){
this.menu.destroy()}#search(){let{points}=this.store;points&&this.store.find(titlesOf(points).find(this.find.value))}#keyInFind(event){
event.stopPropagation(),event.key==="Enter"&&this.store.found?.length&&this.store.focusOn(this.store.found[this.store.found.
length-1]),event.key==="Escape"&&(this.find.value="",this.#search())}setLasso(on){attribute(this.lasso,"aria-pressed",String(
on))}describe(points){if(this.points===points)return;this.points=points;let{sources=[],group_names:names=[]}=points.header,
lacking={source:sources.length<2,theme:names.length===0};for(let option of this.colours.options)option.disabled=!!lacking[option.
value];this.find.value.trim().length>=SHORTEST_FIND&&this.#search()}follow(relevance,live,notice){let{found,picked}=this.
store,how=live.colour_by??"region";this.colours.value!==how&&(this.colours.value=how),show(this.findNote,found!==null),found?.
length?write(this.findNote,relevantAmong(countOf(found.length,"title"),found,relevance)):write(this.findNote,"No title"),
show(this.pickNote,picked.length>0),picked.length&&write(this.pickText,relevantAmong(`${count(picked.length)} picked`,picked,
relevance)),show(this.notice,!!notice),write(this.notice,notice??"")}};function relevantAmong(counted,rows,relevance){return relevance.
reason?counted:`${counted}, ${count(countRelevant(rows,relevance))} of them relevant`}var SAMPLES=120,HIGH=60,DecayCurve=class{constructor(){this.line=svgElement("path",{class:"curve"}),this.needle=svgElement(
"path",{class:"decay-needle"});let picture=svgElement("svg",{viewBox:`0 0 ${SAMPLES} ${HIGH}`,preserveAspectRatio:"none",
"aria-hidden":"true"});picture.append(this.line,this.needle),this.words=make("figcaption",{}),this.element=make("figure",
{class:"decay-curve"},picture,this.words),this.drawn=null}clear(){this.drawn=null,this.line.removeAttribute("d")}draw({header:{
n}},curve){if(curve?.arrays.decay.length!==n+1||this.drawn===curve)return;this.drawn=curve;let places=Array.from({length:SAMPLES+
1},(_,k)=>{let left=curve.arrays.decay[n-Math.round(k/SAMPLES*n)];return`${k} ${(HIGH-(HIGH-2)*left).toFixed(1)}`});this.
line.setAttribute("d",`M${places.join("L")}`),write(this.words,`Decay left (from 1 down to 0) as 0 to ${count(n)} public\
ations count as relevant`)}follow({n,nRelevant}){let at=n?SAMPLES*nRelevant/n:0;this.needle.setAttribute("d",`M${at.toFixed(
1)} 0V${HIGH}`)}};var MORE=["decay_limit","decay_onset","decay_steepness","beta"],KEPT_ON_RESET=["region","colour_by"],TuningStrip=class{points;constructor(store,commits){
this.store=store,this.commits=commits,this.defaults={},this.marks="",this.heading=make("span",{class:"strip-name"}),this.
mode=make("select",{class:"field asks-python","data-setting":"cosine_mode"}),this.mode.addEventListener("change",()=>commits.
now({cosine_mode:this.mode.value,region:"cosine"})),this.help=make("p",{class:"strip-help"}),this.sparkline=new Sparkline,
this.ticks=make("span",{class:"ticks"});let needle=make("span",{class:"needle","aria-hidden":"true"});this.track=make("d\
iv",{class:"track"},this.sparkline.element,needle,this.ticks),this.threshold=this.#slider("min_similarity",fixedAt,{testid:"\
min-similarity"},"hold"),this.ticks.before(this.threshold.range);let share2=value=>({min_core_share:value,region:"cluste\
r"});this.share=this.#slider("min_core_share",share2,{className:"wide"},"hold");let quantile=value=>({quantile:value,cosine_mode:"\
quantile",region:"cosine"});this.quantile=this.#slider("quantile",quantile,{className:"stacked quantile"},"soon"),this.more=
Object.fromEntries(MORE.map(name=>[name,this.#slider(name,value=>({[name]:value}),{className:"stacked"},"soon")])),this.
moreButton=button("More",()=>{},{kind:"quiet more asks-python",title:"Decay and beta"}),this.decay=new DecayCurve,this.panel=
make("div",{class:"panel",role:"group","aria-label":"Decay and beta"},make("p",{class:"panel-title"},"Decay and beta"),this.
decay.element,make("div",{class:"panel-sliders"},...MORE.map(name=>this.more[name].element))),this.foldout=new Foldout(this.
moreButton,this.panel),this.reset=toolButton("Reset: restore the initial settings","reset"),this.reset.addEventListener(
"click",()=>this.#resetAll());let link=copyLinkButton();link.classList.add("asks-python"),this.buttons=make("div",{class:"\
strip-buttons"},this.moreButton,this.reset,link);let named=make("div",{class:"strip-head"},this.heading,this.mode);this.
element=make("div",{class:"strip"},named,this.track,this.threshold.output,this.quantile.element,this.share.element,this.
help,this.buttons,this.panel),this.beside=make("div",{class:"queryscape landscape tuning"})}moveTo(place){if(this.beside.
parentNode!==place){place.append(this.beside),this.moreButton.hidden=!0,this.foldout.destroy(),show(this.panel,!0),this.
reset.replaceChildren("Reset");for(let tool of this.buttons.querySelectorAll(".tool"))tool.classList.add("words");this.beside.
append(this.panel,this.buttons)}}#slider(name,patch,look,moving){return new Slider({name,...look},{input:value=>this.commits[moving](
patch(value)),rest:(value,byKey)=>this.commits[byKey?"resting":"now"](patch(value))})}#resetAll(){let patch={...this.defaults};
for(let name of Object.keys(patch))(patch[name]===null||KEPT_ON_RESET.includes(name))&&delete patch[name];this.commits.now(
patch)}destroy(){this.foldout.destroy(),this.beside.remove()}describe(points,marks,defaults){this.defaults=defaults??{};
let{controls}=points.header;if(points!==this.points){this.points=points,this.sparkline.clear(),this.decay.clear(),this.#describeThreshold(
points),this.#describeModes(controls.cosine_mode);let sliders={quantile:this.quantile,min_core_share:this.share,...this.
more};for(let[name,slider]of Object.entries(sliders))slider.describe(controls[name]),attribute(slider.range,"aria-label",
controls[name].label)}this.#setMarks(marks??[])}#describeThreshold({header,arrays}){let{label:label2,help}=header.controls.
min_similarity,min=header.n?Math.floor(arrays.similarity[0]*1e3)/1e3:0,max=header.n?Math.ceil(arrays.similarity[header.n-
1]*1e3)/1e3:1;this.threshold.describe({label:label2,help,min,max:Math.max(max,min+.001),step:.001}),attribute(this.threshold.
range,"aria-label",label2),attribute(this.track,"title",help)}#describeModes({label:label2,help,options}){attribute(this.
mode,"aria-label",label2),attribute(this.mode,"title",help),setOptions(this.mode,options.map(option=>[option.value,option.
label,option.help]))}#setMarks(marks){let known=JSON.stringify([marks,this.threshold.scale]);if(known===this.marks)return;
this.marks=known;let{min,max}=this.threshold.scale;this.ticks.replaceChildren(...marks.filter(({at})=>Number.isFinite(at)).
map(({at,label:label2})=>{let text=`${label2}: ${significant(at)}`,tick=button("",()=>this.commits.now(fixedAt(at)),{kind:"\
tick",title:text,"aria-label":`Set the similarity threshold to ${text}`});return tick.style.setProperty("--along",String(
Math.min(Math.max((at-min)/(max-min),0),1))),tick}))}follow(relevance){let{live,curve}=this.store,{region}=live,cosine=region===
"cosine",{kinds,controls}=this.points.header,kind=kinds.find(each=>each.kind===region);write(this.heading,cosine?controls.
min_similarity.label:kind?.label??""),attribute(this.heading,"title",kind?.help);for(let shown of[this.mode,this.track,this.
threshold.output])show(shown,cosine);show(this.quantile.element,cosine&&live.cosine_mode==="quantile"),show(this.share.element,
region==="cluster"),show(this.help,!cosine&&region!=="cluster"),write(this.help,kind?.help??""),cosine&&this.#followThreshold(
live,curve,relevance),this.quantile.set(live.quantile),this.share.set(live.min_core_share);for(let[name,slider]of Object.
entries(this.more))slider.set(live[name]);this.decay.draw(this.points,curve),this.decay.follow(relevance)}#followThreshold({
min_similarity:value,cosine_mode:mode},curve,relevance){this.mode.value!==mode&&(this.mode.value=mode);let{min,max}=this.
threshold.scale;this.sparkline.draw(this.points,curve,min,max);let isFound=mode==="fixed"||relevance.n>0,spoken=`${significant(
value)}: ${count(relevance.nRelevant)} of ${count(relevance.n)} relevant`;this.threshold.set(value,isFound?fixedThree(value):
"–",isFound?spoken:"no threshold: nothing was retrieved"),this.track.style.setProperty("--along",String(this.threshold.
along))}};function fixedAt(value){return{min_similarity:value,cosine_mode:"fixed",region:"cosine"}}var TUNING_KEYS=["reg\
ion","cosine_mode","min_similarity","quantile","min_core_share","decay_limit","decay_onset","decay_steepness","beta","co\
lour_by"],SEQ_OF=new WeakMap,OFTEN_MS=300,REST_MS=250,Commits=class{constructor(store,python){this.store=store,this.python=
python,this.tuned=0,this.focused=0,this.held=!1,this.timer=0,this.sentAt=-1/0}get seq(){return SEQ_OF.get(this.store)??0}set seq(seq){
SEQ_OF.set(this.store,seq)}now(patch){this.#move(patch),this.#send()}soon(patch){this.#move(patch);let wait=this.sentAt+
OFTEN_MS-performance.now();wait<=0?this.#send():this.timer||=setTimeout(()=>this.#send(),wait)}resting(patch){this.#move(
patch),clearTimeout(this.timer),this.timer=setTimeout(()=>this.#send(),REST_MS)}hold(patch){this.#move(patch)}focus(row){
this.focused=this.seq+=1,this.store.focus(row),this.python.setStateValue("focus",{seq:this.seq,row})}hear(echo){this.seq=
Math.max(this.seq,echo??0)}isNew(echo){return!this.held&&(echo??0)>=this.tuned}drop(){clearTimeout(this.timer),this.timer=
0,this.held=!1}#move(patch){this.held=!0,this.store.tune(patch)}#send(){this.drop(),this.sentAt=performance.now(),this.tuned=
this.seq+=1;let tuning={seq:this.seq};for(let key of TUNING_KEYS){let value=this.store.live[key];value!=null&&(tuning[key]=
value)}this.python.setStateValue("tuning",tuning)}},SAMPLES2=240,HIGH2=100,Sparkline=class{constructor(){this.element=svgElement(
"svg",{class:"sparkline",viewBox:`0 0 ${SAMPLES2} ${HIGH2}`,preserveAspectRatio:"none","aria-hidden":"true"}),this.areas=
["beyond","within"].map(side=>svgElement("path",{class:`area ${side}`})),this.line=svgElement("path",{class:"curve"}),this.
element.append(...this.areas,this.line),this.drawn=null}clear(){this.drawn=null;for(let path of[...this.areas,this.line])
path.removeAttribute("d")}draw(points,curve,low,high){if(!(curve?.arrays.f_beta.length===points.header.n+1)||this.drawn===
curve)return;this.drawn=curve;let line=curveLine(points.arrays.similarity,points.header.n,curve.arrays.f_beta,low,high);
this.line.setAttribute("d",`M${line}`);for(let area of this.areas)area.setAttribute("d",`M0 ${HIGH2}L${line}L${SAMPLES2}\
 ${HIGH2}Z`)}};function curveLine(similarity,n,fBeta,low,high){let most=1e-9;for(let i=0;i<=n;i++)fBeta[i]>most&&(most=fBeta[i]);
let places=[];for(let k=0;k<=SAMPLES2;k++){let value=fBeta[splitIndex(similarity,n,low+(high-low)*k/SAMPLES2)];places.push(
`${k} ${(HIGH2-(HIGH2-8)*(value>=0?value:0)/most).toFixed(1)}`)}return places.join("L")}var REACH_PX=12,CORE_HEAD_START_PX=5,CANNOT_DRAW="This browser can't draw on a canvas.",HOW_TO_READ="Each dot is a publi\
cation; nearby dots have similar content.",WHAT_COLOURS_SAY={region:"Blue dots count as relevant.",decay:"Colours show t\
he decay left.",year:"Colours show the year of publication.",theme:"Colours show themes.",source:"Colours show the numbe\
r of query versions that retrieve each publication."},DRAG="Drag the similarity threshold to update the numbers.",KEYS="\
Arrow keys move, plus and minus zoom, 0 shows everything, Enter opens the publication nearest to the middle, Escape clea\
rs the selection.",Landscape=class extends Part{points;constructor(root,store,python){super(root,store,python),this.data=
null,this.colouredFor=null,this.aimed=this.updating=!1;let commits=new Commits(store,python);this.commits=commits,this.relevance=
new Relevance,this.numbers=new Readout,this.drawn={scape:"",min_similarity:NaN,region:"",draws:0,ms:0,at:0},this.stage=new Stage,
this.strip=new TuningStrip(store,commits),this.readout=new ReadoutLine(words2=>this.#describeCanvas(words2)),this.tools=
new Toolbar(store,{lasso:on=>this.#setLasso(on),home:()=>this.#home(),save:kind=>this.#save(kind),colourBy:how=>commits.
now({colour_by:how}),toggle:name=>this.#toggle(name),clear:()=>store.pick([])}),this.legend=new Legend(name=>this.#toggle(
name)),this.card=new HoverCard,this.madeUp=make("span",{class:"badge",hidden:""},"demo data"),this.caption=make("p",{class:"\
caption"},this.madeUp,make("span",{},CAPTION)),this.stage.foot=make("div",{class:"stage-foot"},this.legend.key,this.legend.
element,this.caption),this.stage.element.append(this.tools.element,this.stage.foot,this.card.element),this.stage.scene.relevance=
this.relevance,this.hand=new Hand(this.stage.lines,this.#handActions()),this.how=make("p",{class:"how-to-read"},HOW_TO_READ),
root.append(this.strip.element,this.readout.element,this.stage.element,this.how,this.readout.status);let fallback=button(
"Show the plain figure instead",()=>python.setStateValue("fallback",!0));this.stage.works||this.stage.say(CANNOT_DRAW,fallback),
attribute(root,"aria-busy","true"),store.anchor("threshold",this.readout.element),store.anchor("landscape",this.how),this.
frame=oncePerFrame(()=>this.#paint()),store.commit=(patch,{now}={now:!0})=>commits[now?"now":"soon"](patch),store.focusOn=
row=>commits.focus(row);let draw=()=>this.frame.ask();this.listen({data:()=>this.#takeData(),live:()=>this.updating?draw():
this.frame.now(),scores:draw,picked:draw,find:draw,focus:()=>this.#takeFocus(),place:()=>this.#settle(),hovered:()=>this.#takeHovered(),
draft:()=>this.readout.showDraft(!!store.draft)}),this.#settle(),this.observer=new ResizeObserver(()=>{this.stage.resize()&&
this.#paint()}),this.observer.observe(this.stage.element),root.addEventListener("transitionstart",event=>{event.propertyName===
"background-color"&&event.target===root&&this.#takeTheme()})}#handActions(){let{stage,card}=this,look=move=>(...how)=>{this.
aimed=!1,this.#leave(),move(...how),stage.spoil("place"),this.frame.ask()};return{pan:look((dx,dy)=>stage.camera.pan(dx,
dy)),zoom:look((factor,px2,py)=>stage.camera.zoom(factor,px2,py)),home:()=>this.#home(),hover:(px2,py)=>this.#hover(px2,
py),leave:()=>this.#leave(),scrolled:()=>stage.sayZoom(),click:(px2,py)=>this.#open(this.#rowAt(px2,py)),enter:()=>this.#enter(),
escape:()=>this.#clear(),lassoMove:path=>{card.hide(),stage.drawLasso(path)},lassoEnd:path=>this.#pickInside(path)}}destroy(){
super.destroy(),this.observer.disconnect(),this.frame.stop(),clearTimeout(this.stage.hiding),this.commits.drop(),this.readout.
destroy(),this.strip.destroy(),this.tools.destroy()}#settle(){let place=this.store.places.get("tuning");place&&this.strip.
moveTo(place)}#takeHovered(){this.stage.scene.hovered=this.store.hovered,this.stage.spoil("lines"),this.frame.ask()}update(data){
this.updating=!0,this.#takeUpdate(data),this.updating=!1}#takeUpdate(data){let{store,commits}=this,otherPoints=data.dataset.
points!==store.current.points;this.data=data,data.in_sentence&&this.#splitReadout(),this.drawn.scape=data.scape,this.root.
style.height=`${data.height}px`,commits.hear(data.echo);let isNew=otherPoints||commits.isNew(data.echo);otherPoints&&commits.
drop(),isNew&&(store.live={...store.live,...data.tuning}),store.use(data.dataset),(otherPoints||(data.echo_focus??data.echo??
0)>=commits.focused)&&this.#followFocus(data.selected_focus),isNew&&store.tell("live"),this.#takeData()}#splitReadout(){
this.readout.element.classList.contains("sentence")||(this.readout.makeSentence(),this.readout.showDraft(!!this.store.draft),
this.strip.panel.append(this.readout.items.decay.element))}#followFocus(row){row===void 0||row===this.toldFocus||(this.toldFocus=
row,row!==this.store.focused&&this.store.focus(row))}#takeData(){let{store,stage,data}=this,{points}=store;if(!data||(this.
root.classList.toggle("waiting",!points),!points))return;this.root.classList.add("ready"),attribute(this.root,"aria-busy",
null),this.strip.describe(points,data.marks,data.defaults),this.tools.describe(points),points!==this.points&&this.#takePoints(
points);let missing=points.header.has_landscape===!1?"There is no landscape.":null;stage.works&&stage.say(data.no_landscape??
missing),stage.scene.regions!==store.regions&&stage.spoil("lines"),Object.assign(stage.scene,{regions:store.regions,curve:store.
curve}),this.#takeTheme(),this.frame.ask()}#takePoints(points){let{stage}=this;this.points=points,this.#leave(),stage.scene.
points=points,stage.camera.frame(points.header.bounds),stage.spoil("dress","place","gather","lines"),this.readout.describe(
points),show(this.madeUp,!!points.header.made_up)}#takeTheme(){let{stage,store,root}=this,colours=roleColours(store,root);
if(!colours)return;let{fontFamily}=getComputedStyle(root);if(!(colours===stage.scene.colours&&fontFamily===stage.overlay.
font)){stage.scene.colours=colours,stage.scene.theme=isDark(root)?"dark":"light",stage.overlay.font=fontFamily;for(let box of[
root,this.strip.beside])wearColours(box,store);stage.spoil("dress","gather","lines"),store.tell("look"),this.frame.ask()}}#takeFocus(){
let{stage,store,points}=this,row=store.focused;if(stage.spoil("lines"),row!==null&&points&&row<points.arrays.x.length&&stage.
works){let{camera}=stage,[x,y]=[points.arrays.x[row],points.arrays.y[row]],[px2,py]=[camera.pixelX(x),camera.pixelY(y)];
camera.width&&!(px2>0&&py>0&&px2<camera.width&&py<camera.height)&&(camera.centre(x,y),stage.spoil("place"))}this.frame.ask()}#paint(){
let started=performance.now(),{store,stage,relevance,numbers}=this,{points,live}=store;if(!points||points!==this.points||
!live.region||!stage.scene.colours)return;let{scene}=stage,splitBefore=relevance.split,change=relevance.follow(points,store.
regions,live);numbers.follow(relevance,store.curve,store.scores),scene.region!==live.region&&stage.spoil("lines"),scene.
region=live.region,scene.picked=store.picked,scene.typed=store.found,scene.focused=store.focused,this.#colour(),this.readout.
follow(relevance,numbers,points,live),this.strip.follow(relevance),this.tools.follow(relevance,live,this.#notice());let colourBy=scene.
colouring?live.colour_by:"region";this.legend.follow(scene,colourBy),this.#sayHow(colourBy),stage.message.hidden&&stage.
draw(change,splitBefore),this.#record(started)}#notice(){let{region}=this.store.live,why=region==="cosine"?null:this.store.
regions?.header.undefined?.[region];return why?`${this.points.header.kinds.find(({kind})=>kind===region)?.label??region}\
 is undefined: ${why}`:this.data.focus_missing}#sayHow(colourBy){let says2=this.stage.message.hidden?[HOW_TO_READ,WHAT_COLOURS_SAY[colourBy]]:
[];this.store.live.region==="cosine"&&says2.push(DRAG),write(this.how,says2.join(" ")),attribute(this.how,"title",says2.
join(" "))}#colour(){let{stage,store}=this,{scene}=stage,how=store.live.colour_by??"region",curve=how==="decay"?store.curve:
null,needs=[how,scene.points,curve,scene.colours];this.colouredFor?.every((need,i)=>need===needs[i])||(this.colouredFor=
needs,scene.colouring=colouringOf(how,scene),stage.spoil("gather"))}#record(started){let{drawn,store}=this;drawn.min_similarity=
store.live.min_similarity,drawn.region=store.live.region,drawn.draws++,drawn.at=performance.now(),drawn.ms=drawn.at-started,
globalThis.queryscapeDrawn=drawn}#describeCanvas(words2){let{topic,version}=this.points.header;attribute(this.stage.lines,
"aria-label",`Landscape of ${topic}, ${version}: ${words2}. ${KEYS}`)}#rowAt(px2,py){let{points,stage}=this;if(!points||
!stage.message.hidden)return-1;let{camera}=stage,unit=1/camera.scale,{core}=points.arrays,headStart=row=>core[row]?CORE_HEAD_START_PX*
unit:0;return gridOf(points).nearest(camera.placeX(px2),camera.placeY(py),REACH_PX*unit,headStart)}#hover(px2,py){let{stage,
card,store}=this,row=this.#rowAt(px2,py);return stage.drawRing(row),row<0?card.hide():card.show(row,px2,py,stage.camera.
width,stage.camera.height,stage.scene,store.live)}#leave(){this.card.hide(),this.stage.drawRing(-1)}#open(row){row>=0&&this.
store.focusOn(row)}#enter(){let{camera}=this.stage,{focused}=this.store;if(this.aimed&&focused!==null)return this.#open(
focused);if(this.aimed=!0,!this.points)return;let reach=Math.max(camera.width,camera.height)/camera.scale;return this.#open(
gridOf(this.points).nearest(camera.cx,camera.cy,reach))}#clear(){this.#setLasso(!1),this.store.picked.length&&this.store.
pick([])}#setLasso(on){this.hand.lassoing=on,this.tools.setLasso(on),this.stage.lines.classList.toggle("lassoing",on)}#pickInside(path){
if(this.stage.drawLasso(null),!path)return;let{camera}=this.stage,polygon=path.map((at,i)=>i%2?camera.placeY(at):camera.
placeX(at));this.store.pick(gridOf(this.points).inside(polygon)),this.#setLasso(!1)}#home(){this.stage.camera.home(),this.
stage.spoil("place"),this.#leave(),this.frame.ask()}#toggle(name){let{scene}=this.stage;scene.show={...scene.show,[name]:!scene.
show[name]},this.stage.spoil("dress","gather","lines"),this.store.tell("look"),this.frame.ask()}async#save(kind){let{stage,
store,points}=this;if(!points||!stage.message.hidden)return;let name=fileName(points.header.topic,points.header.version,
"landscape"),font=stage.overlay.font;kind==="PNG"?saveFile(await pngOf(stage.scene,store.live,font),"image/png",`${name}\
.png`):saveFile(svgOf(stage.scene,stage.splat,store.live,font),"image/svg+xml",`${name}.svg`)}};var ROLES_OF_RECORD={"core found":{mark:"core-found",words:"Core found"},"core missed":{mark:"core-missed",words:"Core m\
issed"},retrieved:{mark:"plain",words:"Retrieved"}},VERDICTS={true:{mark:"relevant",words:"inside"},false:{mark:"outside",
words:"outside"},null:{mark:"undefined",words:"not defined"}},RecordCard=class extends Part{constructor(root,store,python){
super(root,store,python),this.data=null,this.lines=[],this.near=[],this.drawn=null,this.shownRow=-1,this.unfolded=!1,this.
echoBefore=void 0,this.mark=make("span",{class:"mark","aria-hidden":"true"}),this.role=make("span",{class:"role"});let close=button(
"×",()=>store.focusOn(null),{kind:"close","aria-label":"Close the record"});this.title=make("h2",{class:"title",tabindex:-1}),
this.kind=make("span",{}),this.year=make("span",{}),this.doi=make("a",{target:"_blank",rel:"noopener noreferrer"}),this.
cited=make("span",{}),this.place=make("span",{}),this.retracted=make("p",{class:"retracted-note"},"Retracted");let top=make(
"div",{class:"top"},this.mark,this.role,this.place,close),meta=make("div",{class:"meta"},this.kind,this.year,this.cited,
this.doi),head=make("header",{},top,this.retracted,this.title,meta);this.abstract=make("p",{class:"abstract",id:"abstrac\
t"}),this.more=button("More",()=>this.unfold(!this.unfolded),{kind:"link","aria-controls":"abstract"}),this.why=make("ul",
{class:"why"}),this.nearest=make("ol",{class:"nearest"}),this.facts=make("dl",{class:"facts"}),this.details=make("div",{
class:"part"},make("h3",{},"Details"),this.facts),this.card=make("article",{class:"record-body","aria-live":"polite"},head,
make("div",{class:"part"},this.abstract,this.more),make("div",{class:"part"},make("h3",{},"Why"),this.why),make("div",{class:"\
part"},make("h3",{},"Nearest by cosine"),this.nearest),this.details),this.hint=make("p",{class:"hint"}),this.core=new CoreList(
row=>store.focusOn(row));let frame=make("section",{class:"frame","data-testid":"record","aria-label":"Record"});frame.append(
this.hint,this.core.element,this.card),root.append(frame),this.listen({focus:()=>this.takeFocus(),data:()=>this.draw(),look:()=>wearColours(
root,store),place:()=>this.#settle()}),this.#settle(),this.observer=new ResizeObserver(()=>this.fold()),this.observer.observe(
this.abstract)}update(data){this.data=data,wearColours(this.root,this.store),this.draw()}destroy(){this.observer.disconnect(),
super.destroy(),this.root.remove()}#settle(){let place=this.store.places.get("publication");place&&this.root.parentNode!==
place&&place.append(this.root)}takeFocus(){this.echoBefore=this.data?.echo_focus,this.store.focused!==this.drawn?.row&&(this.
card.scrollTop=0),this.draw()}get state(){let{focused}=this.store,record=this.data?.record??null;return focused===null?"\
empty":record?.row===focused?"shown":this.echoBefore!==void 0&&this.data.echo_focus>this.echoBefore&&record===null?"gone":
"waiting"}draw(){let{state}=this;attribute(this.root,"data-state",state),attribute(this.card,"aria-busy",state==="waitin\
g"),show(this.card,state==="shown"||state==="waiting"),show(this.hint,state==="gone"),write(this.hint,"No record of this\
 publication."),this.core.show(state==="empty"),this.store.points&&this.core.draw(this.store.points.header),state==="wai\
ting"&&this.drawHead(this.preview()),state==="shown"&&this.drawn!==this.data.record&&this.drawRecord(this.data.record),state!==
"shown"&&(this.drawn=null)}preview(){let{points,focused:row}=this.store;if(!points||row===null)return{title:"",role:null};
let{n}=points.header,{core,year,similarity}=points.arrays;return{title:titlesOf(points).title(row),year:year[row]||null,
doi:null,times_cited:null,kind:null,retracted:retractedOf(points).has(row),similarity:similarity[row],rank:row<n?n-row:null,
role:row>=n?"core missed":core[row]?"core found":"retrieved"}}drawHead({title,year,doi,times_cited:cited,similarity,rank,
role,kind,retracted}){let{mark,words:words2}=ROLES_OF_RECORD[role]??{mark:"plain",words:""};attribute(this.mark,"class",
`mark ${mark}`),write(this.role,words2),show(this.retracted,retracted),write(this.title,title||"No title"),write(this.kind,
kind??""),write(this.year,year?String(year):"Year unknown"),write(this.cited,typeof cited=="number"?`cited ${countOf(cited,
"time")}`:"");let address=doiAddress(doi);attribute(this.doi,"href",address),attribute(this.doi,"title",address&&"Opens \
in a new tab"),write(this.doi,address?doi:"");let n=this.store.points?.header.n,ranked=typeof rank=="number"?`rank ${count(
rank)}${n?` of ${count(n)}`:""}`:"";write(this.place,[`similarity ${significant(similarity)}`,ranked].filter(Boolean).join(
" · "))}drawRecord(record){let other=this.shownRow!==record.row;this.drawn=record,this.shownRow=record.row,this.drawHead(
record),write(this.abstract,record.abstract||"No abstract."),this.abstract.classList.toggle("none",!record.abstract),other&&
(this.card.scrollTop=0),this.unfold(other?!1:this.unfolded),this.drawWhy(record.why),this.drawNearest(record.nearest),this.
drawDetails(record)}drawDetails({facts,headings}){let lines=facts.map(([name,value,address])=>factLine(name,address?make(
"a",{href:address,target:"_blank",rel:"noopener noreferrer",title:"Opens in a new tab"},value):value));if(headings.length){
let items=headings.map(([text,major])=>make("li",{},major?make("strong",{},`${text} (major)`):text));lines.push(factLine(
"Subject headings",make("ul",{class:"headings"},...items)))}this.facts.replaceChildren(...lines),show(this.details,lines.
length>0)}unfold(unfolded2){this.unfolded=unfolded2,this.abstract.classList.toggle("clamped",!unfolded2),attribute(this.
more,"aria-expanded",unfolded2),write(this.more,unfolded2?"Less":"More"),this.fold()}fold(){show(this.more,this.unfolded||
this.abstract.scrollHeight>this.abstract.clientHeight+1)}drawWhy(why){fit(this.why,this.lines,why.length,whyLine),why.forEach(
({label:label2,inside,text},at)=>{let{mark,words:words2}=VERDICTS[String(inside??null)],line=this.lines[at];attribute(line.
mark,"class",`mark ${mark}`),attribute(line.mark,"aria-label",words2),write(line.label,label2),write(line.text,text||words2)})}drawNearest(nearest){
fit(this.nearest,this.near,nearest.length,()=>nearLine(row=>this.store.focusOn(row))),nearest.forEach((neighbour,at)=>this.
near[at].draw(neighbour))}};function fit(list,items,n,create){for(;items.length>n;)items.pop().element.remove();for(;items.
length<n;){let item=create();items.push(item),list.append(item.element)}}function factLine(name,value){return make("div",
{},make("dt",{},name),make("dd",{},value))}function whyLine(){let mark=make("span",{class:"mark",role:"img"}),label2=make(
"span",{class:"why-label"}),text=make("span",{class:"why-text"});return{mark,label:label2,text,element:make("li",{},mark,
label2,text)}}function nearLine(open){let similarity=make("span",{class:"near-similarity"}),mark=make("span",{class:"mar\
k",role:"img"}),title=make("span",{class:"near-title"}),year=make("span",{class:"near-year"}),button2=make("button",{type:"\
button"},similarity,mark,title,year),row=null;button2.addEventListener("click",()=>open(row));function draw(neighbour){row=
neighbour.row??null,button2.disabled=row===null;let words2=[neighbour.core&&"core publication",!neighbour.retrieved&&"no\
t retrieved"].filter(Boolean).join(", "),[found,missed]=neighbour.core?["core-found","core-missed"]:["plain","absent"];attribute(
mark,"class",`mark ${neighbour.retrieved?found:missed}`),attribute(mark,"aria-label",words2||"retrieved"),attribute(mark,
"title",words2||null),write(similarity,significant(neighbour.similarity)),write(title,listedTitle(neighbour.title,neighbour.
retracted)),attribute(title,"title",neighbour.title||null),write(year,neighbour.year?String(neighbour.year):"–")}return{
draw,element:make("li",{},button2)}}var CoreList=class{constructor(open){this.open=open,this.heading=make("h2",{class:"c\
ore-heading"}),this.note=make("p",{class:"core-note"},"Click one, a dot or a row to read its record."),this.list=make("o\
l",{class:"core-items"}),this.element=make("div",{class:"core-list","data-testid":"core-list"},this.heading,this.note,this.
list),this.header=void 0}draw(header){if(this.header===header)return;this.header=header;let{core_list:core,n_core_missed:missed}=header;
write(this.heading,missed?`Core missed: ${missed} of ${core.length}`:`All ${core.length} core publications found`),this.
list.replaceChildren(...core.map(entry=>make("li",{},this.line(entry))))}line({row,title,year,found,retracted,similarity}){
let mark=make("span",{class:`mark ${found?"core-found":"core-missed"}`,role:"img"});attribute(mark,"aria-label",found?"f\
ound":"missed");let words2=make("span",{class:"core-title",title},listedTitle(title,retracted)),about=make("span",{class:"\
core-about"}),near=similarity===null?"no vector":significant(similarity);write(about,`${year??"–"} · ${near}`);let button2=make(
"button",{type:"button"},mark,words2,about);return button2.disabled=row===null,attribute(button2,"title",row===null?"It \
has no vector, so it is not on the landscape.":null),button2.addEventListener("click",()=>this.open(row)),button2}show(shown){
show(this.element,shown)}};var CELLS2=[["n_found","Core found","Core publications retrieved, of all in the topic."],["n_retrieved","Retrieved","Pub\
lications retrieved."],["semantic_precision","Semantic precision",""],["f_beta","F",""]],COUNTS=new Set(["n_found","n_re\
trieved"]),FILTERS2={n_found:"core",n_retrieved:"all"},Strip=class{constructor({choose,list,unfold}){this.list=list,this.
cells=Object.fromEntries(CELLS2.map(([key,label2,help])=>[key,this.#cell(key,label2,help)])),this.numbers=make("dl",{class:"\
numbers"},...Object.values(this.cells).map(({element})=>element)),this.region=make("select",{class:"field","aria-label":"\
Measured by","data-testid":"measured-by"}),this.region.addEventListener("change",()=>choose(this.region.value)),this.measured=
make("label",{class:"measured"},make("span",{},"Measured by"),this.region),this.more=button("All regions",unfold,{kind:"\
quiet","aria-expanded":"false","aria-controls":"regions"}),this.note=make("p",{class:"draft-note"});let side=make("div",
{class:"side"},this.measured,this.more,this.note);this.element=make("section",{class:"strip","aria-label":"What it retri\
eves","data-testid":"strip"},this.numbers,side),this.draft=null}#cell(key,label2,help){let cell=numberCell(label2,help);
if(!COUNTS.has(key))return cell;let value=button("",()=>this.#list(key),{kind:"value lists",title:"List them"});return cell.
value.replaceWith(value),{...cell,value}}#list(key){this.draft?this.draft.list(key):this.list(FILTERS2[key])}drawVersion({
recall,n_retrieved:retrieved,beta,regions},region,numbers,{live,texts,before}){this.draft=null;let isDefined=region.status===
"ok"&&!region.pending,why=isDefined?"":`Undefined: ${region.pending??region.status}.`,was=before?.region===region.kind&&
!live?before:null,{n_found:found,n_core:core,value,low,high}=recall,known=name=>isDefined?numbers[name]:null;this.#fill(
"n_found",found,{of:core,at:value,ends:[low,high],title:`Core recall ${significant(value)}, 95 % interval ${interval(low,
high)}.`}),this.#fill("n_retrieved",retrieved,{});for(let name of["semantic_precision","f_beta"]){let ends=live?null:region[`${name}\
_range`],moves=ends?`Between ${interval(...ends)} as the core set varies.`:"";this.#fill(name,known(name),{at:known(name),
ends,was:was?.[name],title:[texts[name],moves,why].filter(Boolean).join(" ")})}this.element.classList.toggle("degenerate",
isDefined&&!!region.degenerate&&!live),this.#name(beta,was?`since ${was.label}`:""),setOptions(this.region,regions.map(({
kind,label:label2})=>[kind,label2])),this.region.value=region.kind,show(this.measured,!0),write(this.note,"")}drawDraft(draft,{
beta,texts}){this.draft=draft;let{summary,before}=draft,{n_found:found,n_core:core,recall,recall_interval:ends}=summary;
this.#fill("n_found",found,{of:core,at:recall,ends,was:before.n_found}),this.#fill("n_retrieved",summary.n_retrieved,{of:summary.
n_corpus,was:before.n_retrieved});let why=summary.undefined?`Undefined: ${summary.undefined}.`:"";for(let name of["seman\
tic_precision","f_beta"])this.#fill(name,summary[name],{at:summary[name],was:before[name],title:[texts[name],why].filter(
Boolean).join(" ")});this.element.classList.remove("degenerate"),this.#name(beta,"since the open version"),show(this.measured,
!1),write(this.note,draft.n_errors?`Not run yet: measured by cosine, in spite of ${countOf(draft.n_errors,"problem")}`:"\
Not run yet: measured by cosine")}#name(beta,since){write(this.cells.f_beta.term,`F${betaIndex(beta)}`);for(let{change}of Object.
values(this.cells))attribute(change,"title",change.textContent?`Change ${since}`:null)}#fill(key,number,{of=null,at=null,
ends=null,was=void 0,title=""}){let cell=this.cells[key],isCount=COUNTS.has(key);write(cell.value,typeof number=="number"?
(isCount?count:significant)(number):"–"),isCount&&attribute(cell.value,"aria-disabled",number>0?null:"true"),write(cell.
of,of===null?"":`of ${count(of)}`),write(cell.change,changeSince(was,number,isCount?signedCount:signedScore)),show(cell.
whisker.element,at!==null||!!ends),cell.whisker.set(at,ends),attribute(cell.element,"title",[cell.help,title].filter(Boolean).
join(" ")||null)}};var DRAFTED="data-draft",STEPS={ArrowRight:1,ArrowDown:1,ArrowLeft:-1,ArrowUp:-1},Scores=class extends Part{constructor(root,store,python){
super(root,store,python),this.cards=new Map,this.data=null,this.open=!1,this.recall=new RecallCard,this.choice=make("div",
{class:"regions",role:"radiogroup","aria-label":"Region"}),this.choice.addEventListener("keydown",event=>this.key(event)),
this.choice.addEventListener("click",event=>this.choose(hit(event,".card")?.dataset.kind));for(let event of["pointerover",
"focusin"])this.choice.addEventListener(event,moved=>store.hover(hit(moved,".card")?.dataset.kind??null));for(let event of[
"pointerleave","focusout"])this.choice.addEventListener(event,()=>store.hover(null));this.cardRow=make("div",{class:"car\
ds",id:"regions"},this.recall.element,this.choice),this.strip=new Strip({choose:kind=>this.choose(kind),list:filter=>this.#list(
filter),unfold:()=>this.#showAll()}),this.showsAll=!1,this.cardRow.addEventListener("click",event=>this.#list(hit(event,
"[data-filter]")?.dataset.filter)),this.warning=make("span",{class:"warning-text"}),this.more=button("",()=>this.#unfold(),
{kind:"link","aria-controls":"warnings"});let icon=make("span",{class:"warning-icon","aria-hidden":"true"});this.warningLine=
make("span",{class:"warning"},icon,this.warning,this.more),this.unscorable=make("span",{class:"unscorable"}),this.others=
make("ul",{class:"warnings",id:"warnings",hidden:""}),this.notes=make("div",{class:"notes"},this.warningLine,this.unscorable),
root.append(this.strip.element,this.cardRow,make("div",{role:"status"},this.notes,this.others)),this.frame=oncePerFrame(
()=>this.draw());let wear=()=>wearColours(root,store);this.listen({live:()=>this.frame.ask(),draft:()=>this.draw(),data:()=>{
wear(),this.frame.ask()},look:wear})}#list(filter){filter&&this.store.list(filter)}#showAll(){this.showsAll=!this.showsAll,
this.draw()}#unfold(){this.open=!this.open,this.drawNotes()}update(data){this.data=data,this.store.scores=data,wearColours(
this.root,this.store),attribute(this.root,"data-echo",data.echo),this.arrange(),this.draw(),this.drawNotes(),this.store.
tell("scores")}destroy(){super.destroy(),document.body.removeAttribute(DRAFTED),this.frame.stop()}arrange(){let kinds=this.
data.regions.map(({kind})=>kind);for(let[kind,card]of this.cards)kinds.includes(kind)||(card.element.remove(),this.cards.
delete(kind));kinds.forEach((kind,at)=>{let{element}=this.#cardOf(kind);this.choice.children[at]!==element&&this.choice.
insertBefore(element,this.choice.children[at]??null)}),this.cardRow.style.setProperty("--n",String(kinds.length))}#cardOf(kind){
let card=this.cards.get(kind)??new RegionCard(kind);return this.cards.set(kind,card),card}draw(){if(!this.data)return;let{
beta,regions}=this.data,{texts={},labels={}}=this.store.points?.header??{};this.recall.update({...this.data,texts,labels});
let chosen=this.chosen();for(let region of regions){let card=this.#cardOf(region.kind),live=region.kind==="cosine"?this.
underTheHand(region):null,coverage=region.kind==="cosine"?this.data.coverage:"";card.update(region,live??region,{beta,texts,
labels,coverage,live:live!==null}),attribute(card.element,"aria-checked",region.kind===chosen),attribute(card.element,"t\
abindex",region.kind===chosen?0:-1)}document.body.toggleAttribute(DRAFTED,!!this.store.draft),this.#drawStrip(regions.find(
({kind})=>kind===chosen),texts)}#drawStrip(region,texts){let{strip,store,data}=this;if(show(strip.element,!!data.in_strip),
show(this.cardRow,!data.in_strip||this.showsAll),attribute(strip.more,"aria-expanded",this.showsAll),!data.in_strip)return;
let live=region.kind==="cosine"?this.underTheHand(region):null;store.draft?strip.drawDraft(store.draft,{beta:data.beta,texts}):
strip.drawVersion(data,region,live??region,{live:live!==null,texts,before:store.before})}chosen(){return this.cards.has(
this.store.live.region)?this.store.live.region:this.data.regions[0]?.kind}underTheHand(region){let{points,curve,live}=this.
store;if(live.region!=="cosine"||region.status!=="ok"||region.pending||!points||!curve||live.min_similarity===void 0)return null;
let{n}=points.header;if(n!==this.data.n_scorable||curve.arrays.f_beta.length!==n+1)return null;let split=splitIndex(points.
arrays.similarity,n,live.min_similarity);return n-split===region.n_relevant?null:{n_relevant:n-split,semantic_precision:points.
arrays.semantic_precision[split],decay:curve.arrays.decay[split],f_beta:curve.arrays.f_beta[split]}}choose(kind){!kind||
!this.cards.has(kind)||kind!==this.chosen()&&this.store.commit({region:kind})}key(event){let kinds=[...this.cards.keys()].
filter(kind=>this.data.regions.some(region=>region.kind===kind)),at=kinds.indexOf(hit(event,".card")?.dataset.kind??"");
if(at<0)return;let next={Home:0,End:kinds.length-1," ":at,Enter:at}[event.key]??(event.key in STEPS?(at+STEPS[event.key]+
kinds.length)%kinds.length:null);next!==null&&(event.preventDefault(),this.choose(kinds[next]),this.#cardOf(kinds[next]).
element.focus())}drawNotes(){let{warnings,n_unscorable:nUnscorable}=this.data,[first,...others]=warnings;for(show(this.warningLine,
warnings.length>0),write(this.warning,first??""),attribute(this.warning,"title",first??null),show(this.more,others.length>
0),write(this.more,this.open?"fewer":`${count(others.length)} more`),attribute(this.more,"aria-expanded",this.open),show(
this.others,this.open&&others.length>0);this.others.children.length>others.length;)this.others.lastChild?.remove();for(;this.
others.children.length<others.length;)this.others.append(make("li"));others.forEach((text,at)=>write(this.others.children[at],
text)),show(this.notes,warnings.length>0||nUnscorable>0),write(this.unscorable,nUnscorable?`${count(nUnscorable)} withou\
t a vector`:"");let words2=`${countOf(nUnscorable,"retrieved publication")} without a vector: no region counts them.`;attribute(
this.unscorable,"title",nUnscorable?words2:null)}},LISTS="Click to list them in the table.",READ_PER_CORE="Retrieved pub\
lications to read for each core publication found.",Card=class{constructor(attributes){this.label=make("span",{class:"la\
bel"}),this.value=make("span",{class:"value"}),this.whisker=new Whisker,this.first=make("div",{class:"small"}),this.second=
make("div",{class:"small"}),this.words=make("span",{class:"unseen"}),this.head=make("div",{class:"head"},this.label),this.
main=make("div",{class:"main"},this.value),this.element=make("div",{class:"card",...attributes}),this.element.append(this.
head,this.main,this.whisker.element,this.first,this.second,this.words)}line(target,parts){for(;target.children.length>parts.
length;)target.lastChild.remove();for(;target.children.length<parts.length;)target.append(make("span"));parts.forEach(([
text,definition,filter],at)=>{write(target.children[at],text),attribute(target.children[at],"title",[definition,filter&&
LISTS].filter(Boolean).join(" ")||null),attribute(target.children[at],"data-filter",filter)})}describe(id,text){this.words.
id=id,write(this.words,text),attribute(this.element,"aria-describedby",id)}},RecallCard=class extends Card{constructor(){
super({class:"card recall",role:"group",tabindex:0,"data-testid":"recall-card"})}update({recall,texts,labels}){let{value,
low,high,n_found:nFound,n_core:nCore,attainable,read_per_core:readPerCore}=recall,ends=`95 % interval (Wilson): ${interval(
low,high)}.`,definition=`${texts.recall??""} ${ends}`.trim();write(this.label,labels.recall??"Core recall"),write(this.value,
significant(value)),this.head.title=this.main.title=this.whisker.element.title=definition,this.whisker.set(value,[low,high]);
let found=[[`${count(nFound)} of ${count(nCore)} core found`,definition,"core"]];attainable!=null&&significant(attainable)!==
significant(value)&&found.push([`attainable ${significant(attainable)}`,texts.attainable_recall]),this.line(this.first,found);
let read=readPerCore==null?[]:[[`read ${significant(readPerCore)} publications per core found`,texts.read_per_core??READ_PER_CORE]];
this.line(this.second,read),attribute(this.element,"aria-label",`${this.label.textContent} ${significant(value)}`);let rest=[
...found,...read].map(([text])=>text).join(", ");this.describe("recall-words",`${definition} ${rest}. ${found[1]?.[1]??""}`)}},
RegionCard=class extends Card{constructor(kind){super({role:"radio","aria-checked":"false",tabindex:-1,"data-testid":`re\
gion-${kind}`,"data-kind":kind}),this.kind=kind,this.beta=make("sub",{}),this.name=make("span",{class:"beta"},"F",this.beta),
this.waiting=make("span",{class:"waiting",hidden:""}),this.main.append(this.name,this.waiting),this.head.append(make("sp\
an",{class:"live-dot",title:"Follows the similarity threshold as it moves"}))}update(region,numbers,{beta,texts,labels,coverage,
live}){let isDefined=region.status==="ok"&&!region.pending,range=live?null:region.f_beta_range;this.element.classList.toggle(
"live",live),this.element.classList.toggle("degenerate",isDefined&&!!region.degenerate&&!live),this.element.classList.toggle(
"undefined",!isDefined),write(this.label,region.label),this.head.title=[region.label,live?"":region.defines].filter(Boolean).
join(": "),write(this.beta,betaIndex(beta)),show(this.value,!region.pending),show(this.name,isDefined),show(this.waiting,
!!region.pending),write(this.waiting,region.pending??""),write(this.value,isDefined?significant(numbers.f_beta):"–"),this.
main.title=this.whisker.element.title=this.definition(region,texts,range,coverage),this.whisker.set(isDefined?numbers.f_beta:
null,range),this.small(region,numbers,{isDefined,live,texts,labels});let value=region.pending??(isDefined?`F${betaIndex(
beta)} ${significant(numbers.f_beta)}`:region.status);attribute(this.element,"aria-label",`${region.label}: ${value}`)}definition(region,texts,range,coverage){
let moves=range&&`Between ${interval(...range)} as the core set varies.`,degenerate=region.degenerate&&`Degenerate: ${region.
degenerate}.`;return[texts.f_beta,moves,moves&&coverage,degenerate].filter(Boolean).join(" ")}small(region,numbers,{isDefined,
live,texts,labels}){let relevant=[countOf(numbers.n_relevant,"relevant","relevant"),relevantWords(region,live),"relevant"],
decay=[`decay ${significant(numbers.decay)}`,texts.decay],range=live?null:region.semantic_precision_range,moves=range?` \
Between ${interval(...range)} as the core set varies.`:"",name=(labels.semantic_precision??"Semantic precision").toLowerCase(),
definition=`${texts.semantic_precision??""}${moves}`,precision=[`${name} ${significant(numbers.semantic_precision)}`,definition],
reason=region.pending?"":region.status,degenerate=!live&&region.degenerate;this.first.classList.toggle("reason",!isDefined||
!!degenerate),this.second.hidden=!isDefined,isDefined?degenerate?this.line(this.first,[[region.degenerate,`Degenerate: ${region.
degenerate}.`]]):this.line(this.first,[relevant,decay]):this.line(this.first,[[reason,reason]]),this.line(this.second,degenerate?
[relevant,decay]:[precision]);let parts=isDefined?[relevant,precision,decay].map(([text,words2])=>`${text}: ${words2??""}`):
[],sentences=[live?"":region.defines&&`${region.defines}.`,texts.f_beta,...parts,degenerate];this.describe(`words-${region.
kind}`,sentences.filter(Boolean).join(" "))}};function relevantWords({label:label2,n_accepted:nAccepted,core_accepted:coreAccepted,
defines},live){if(live)return`Retrieved publications that the region “${label2}” accepts.`;let accepted=typeof nAccepted==
"number"&&typeof coreAccepted=="number"?` Core accepted: ${significant(coreAccepted)} (${countOf(nAccepted,"core publica\
tion")}).`:"";return`Retrieved publications that the region “${label2}” accepts${defines?` (${defines})`:""}.${accepted}`}
var ScoresBefore=class extends Part{update({before}){this.root.hidden=!0,this.store.before=before,this.store.tell("draft")}destroy(){
super.destroy(),this.store.before=null}};var CHIPS={all:"All",relevant:"Relevant in this region",core:"Core found",picked:"Picked",missed:"Core missed"},Table=class extends Part{points;constructor(root,store,python){
super(root,store,python),this.data=null,this.n=this.total=0,this.titles=this.dois=new Titles(new Uint8Array(0)),this.filter=
"all",this.typed="",this.verdicts=new Map,this.lastFocused=null,this.ordered={name:"",rows:new Uint32Array(0)},this.picked=
null,this.found=null,this.view=new Uint32Array(0),this.picksHere=this.pickedOnLandscape=!1,this.relevance=new Relevance,
this.sort={key:"rank",descending:!1},this.grid=new Grid("Retrieved publications",{onOpen:row=>store.focusOn(row),dress:(line,row)=>this.
dress(line,row),onMark:row=>this.pickHere(row),onSort:key=>this.sortBy(key)}),this.search=make("input",{type:"search",class:"\
field",placeholder:"Search titles, years, DOIs",autocomplete:"off",spellcheck:"false","aria-label":"Search the table by \
title, year or DOI"}),this.search.addEventListener("input",()=>this.searchFor(this.search.value)),this.search.addEventListener(
"keydown",event=>event.stopPropagation()),this.chips=Object.fromEntries(FILTERS.map(filter=>[filter,this.chip(filter)])),
this.download=button("Download CSV",()=>this.save());let chips2=make("div",{class:"chips",role:"group","aria-label":"Row\
s to show"},...Object.values(this.chips));this.empty=make("p",{class:"empty",hidden:""});let body=make("div",{class:"gri\
d-frame","data-testid":"retrieved-table"},this.grid.element,this.empty);this.shown=make("span",{class:"shown",role:"stat\
us"}),this.pickedText=make("span",{});let clear=button("Clear",()=>store.pick([]),{kind:"link"});this.pickedNote=make("s\
pan",{class:"picked-note",hidden:""},this.pickedText,clear),this.reveal=button("Show the open record in the table",()=>this.
showFocused(),{kind:"link",hidden:""}),this.beyond=make("span",{class:"beyond"});let foot=make("div",{class:"foot"},this.
shown,this.pickedNote,this.reveal,this.beyond);root.append(make("div",{class:"bar"},this.search,chips2,this.download),body,
foot),attribute(root,"aria-busy","true"),this.frame=oncePerFrame(()=>this.takeLive()),this.listen({data:()=>this.takeData(),
live:()=>this.frame.ask(),look:()=>this.takeLook(),picked:()=>this.takePicked(),focus:()=>this.takeFocus(),list:()=>this.
takeList()}),store.anchor("table",root)}chip(filter){let chip=button("",()=>this.filterBy(filter),{kind:"chip","aria-pre\
ssed":"false","data-filter":filter});return chip.append(make("span",{},CHIPS[filter]),make("span",{class:"number"})),chip}update(data){
this.data=data,this.takeData()}destroy(){super.destroy(),this.frame.stop(),this.grid.destroy()}takeData(){let{points}=this.
store;wearColours(this.root,this.store),attribute(this.root,"aria-busy",points?null:"true"),points&&points!==this.points&&
this.takePoints(points),points&&(this.ordered.name="",this.verdicts.clear(),this.grid.setColumns(columnsFor(points,this)),
this.grid.setSort(this.sort.key,this.sort.descending),this.refresh(),this.takeFocus())}takePoints(points){this.points=points,
this.n=points.header.n,this.total=this.n+points.header.n_missed,this.titles=titlesOf(points),this.dois=new Titles(points.
arrays.dois),this.picked=marksOf(this.store.picked,this.total),this.found=this.foundFor(this.typed),this.filter==="picke\
d"&&!this.picked&&(this.filter="all")}takeLook(){wearColours(this.root,this.store),this.frame.ask()}takeLive(){if(this.points){
if(this.filter==="relevant"||this.sort.key.startsWith("relevant:")){this.refresh();return}this.followRegion(),this.grid.
refresh(),this.tellChips()}}followRegion(){this.verdicts.clear(),this.relevance.follow(this.points,this.store.regions,this.
store.live)}titleOf(row){return this.titles.title(row)}isRetracted(row){return retractedOf(this.points).has(row)}doiOf(row){
return this.dois.title(row)}isPicked(row){return this.picked!==null&&this.picked[row]===1}undefinedReason(kind){return this.
store.regions?.header.undefined?.[kind]??null}verdict(kind){return this.verdicts.has(kind)||this.verdicts.set(kind,this.
verdictNow(kind)),this.verdicts.get(kind)}verdictNow(kind){if(kind==="cosine"){let split=this.split();return split===null||
this.undefinedReason(kind)?null:row=>row>=split}let mask=this.store.regions?.arrays[`mask_${kind}`];return mask?row=>bitAt(
mask,row)===1:null}split(){let{min_similarity:minSimilarity}=this.store.live;return minSimilarity===void 0?null:splitIndex(
this.points.arrays.similarity,this.n,minSimilarity)}get region(){return this.points.header.kinds.find(({kind})=>kind===this.
store.live.region)??this.points.header.kinds[0]}refresh(){if(!this.points)return;this.followRegion();let{core}=this.points.
arrays,{filter,n,picked,found,relevance}=this,isRelevant=row=>relevance.has(row);this.view=shownRows(this.order(),{filter,
n,core,isRelevant,picked,found}),this.grid.setView(this.view),this.tellChips(),this.tellFoot()}order(){let{key,descending}=this.
sort,split=key==="relevant:cosine"?this.split():"",name=`${key} ${descending} ${split}`;if(this.ordered.name!==name){let{
sortKey}=this.grid.columns.find(column=>column.key===key);this.ordered={name,rows:sortedRows(this.total,this.n,sortKey,descending)}}
return this.ordered.rows}tellChips(){let{rows}=countsOf(this.points),numbers={all:this.n,relevant:this.relevance.nRelevant,
core:rows.found.length,picked:this.store.picked.length,missed:this.total-this.n};for(let[filter,chip]of Object.entries(this.
chips))attribute(chip,"aria-pressed",filter===this.filter),write(chip.lastChild,count(numbers[filter]));attribute(this.chips.
relevant,"title",`Region: ${this.region.label}`),attribute(this.chips.picked,"disabled",numbers.picked===0&&this.filter!==
"picked")}tellFoot(){let{store,view,filter}=this,missed=filter==="missed",all=missed?this.total-this.n:this.n;write(this.
shown,`${count(view.length)} of ${count(all)}${missed?" missed core publications":""} shown`);let n=store.picked.length;
write(this.pickedText,`${count(n)} picked${this.pickedOnLandscape?" on the landscape":""}`),show(this.pickedNote,n>0),show(
this.reveal,store.focused!==null&&!view.includes(store.focused)),write(this.beyond,missed?this.missedBeyond():this.unranked()),
show(this.empty,view.length===0),view.length===0&&write(this.empty,this.emptyWords()),attribute(this.download,"disabled",
view.length===0)}unranked(){let n=this.data?.n_without_vector??0;return n?`${count(n)} more ${n===1?"has":"have"} no vec\
tor and can't be ranked`:""}missedBeyond(){let{recall}=this.store.scores??{},n=recall?recall.n_core-recall.n_found-(this.
total-this.n):0;return n>0?`${count(n)} more ${n===1?"has":"have"} no vector`:""}emptyWords(){let{filter,n,typed,region}=this;
if(filter==="picked"&&!this.picked)return"Nothing is picked. Draw around dots on the landscape, or tick rows here.";if(this.
found)return`No title, year or DOI here matches “${typed.trim()}”.`;if(filter==="missed")return"Every core publicati\
on with a vector was found.";if(n===0)return"This query retrieved no publication with a vector.";if(filter==="core")return"\
The query found no core publication with a vector.";let{reason}=this.relevance;return reason?`${region.label} is not def\
ined: ${reason}.`:`${region.label} accepts no publication as relevant.`}sortBy(key){let column=this.grid.columns.find(candidate=>candidate.
key===key),again=this.sort.key===key;this.sort={key,descending:again?!this.sort.descending:column.descendingFirst},this.
grid.setSort(key,this.sort.descending),this.refresh()}filterBy(filter){this.filter=filter,this.grid.element.scrollTop=0,
this.refresh()}searchFor(typed){this.typed=typed,this.points&&(this.found=this.foundFor(typed),this.grid.element.scrollTop=
0,this.refresh())}foundFor(typed){let{titles,dois,total}=this;return foundRows(typed,{titles,dois,year:this.points.arrays.
year},total)}pickHere(row){this.picksHere=!0,this.store.pick(toggled(this.store.picked,row)),this.picksHere=!1}takePicked(){
if(!this.points)return;let{picked}=this.store;this.picked=marksOf(picked,this.total),this.pickedOnLandscape=picked.length>
0&&!this.picksHere,this.pickedOnLandscape?(this.#clearSearch(),this.filterBy("picked")):!picked.length&&this.filter==="p\
icked"?this.filterBy("all"):this.refresh()}takeFocus(){if(!this.points)return;let{focused}=this.store;focused!==null&&focused!==
this.lastFocused&&this.grid.reveal(focused),this.lastFocused=focused,this.grid.refresh(),this.tellFoot()}takeList(){this.
points&&(this.#clearSearch(),this.filterBy(this.store.listed),this.root.scrollIntoView({block:"nearest"}))}#clearSearch(){
this.search.value=this.typed="",this.found=null}showFocused(){this.#clearSearch();let{focused}=this.store;focused!==null&&
(this.filterBy(focused<this.n?"all":"missed"),this.grid.reveal(focused),this.grid.element.focus({preventScroll:!0}))}dress(line,row){
let focused=row===this.store.focused;line.classList.toggle("focused",focused),attribute(line,"aria-current",focused?"tru\
e":null),attribute(line,"aria-selected",this.isPicked(row))}save(){let columns=[...this.grid.columns.filter(({value})=>value),
retractedColumn(this)],rows=Array.from(this.view,row=>columns.map(column=>column.value(row))),{topic,version}=this.points.
header,text=csvOf([columns.map(({label:label2})=>label2),...rows]);saveFile(`\uFEFF${text}`,"text/csv;charset=utf-8",`${fileName(
topic,version,this.filter)}.csv`)}};var OVERLAY_HEAD=44,ENTRY_HIGH=20,ENTRY_GAP=30,SIDE=18,LETTER_PX=6.7;function placedEntries(entries,width,wideOf){let[x,
row]=[SIDE,0];return{places:entries.map(entry=>{let words2=`${entry.label} ${count(entry.n)}`,wide=wideOf(words2)+ENTRY_GAP;
x+wide>width-SIDE&&x>SIDE&&([x,row]=[SIDE,row+1]);let place={entry,words:words2,x,y:row*ENTRY_HIGH};return x+=wide,place}),
high:(row+1)*ENTRY_HIGH}}function overlayTitle(header){return`${topicTitle(header)}: ${header.labels.join(", ")}`}function overlayCaption({
embedder}){return`${CAPTION} Embedding: ${embedder}.`}function overlayPng(scene,font){let{camera,colours,scale,header,nVersions}=scene,
measure=contextOf(document.createElement("canvas"));measure.font=`12px ${font}`;let{places,high:legendHigh}=placedEntries(
scene.entries,camera.width,words2=>measure.measureText(words2).width),canvas=document.createElement("canvas");canvas.width=
camera.width*scale,canvas.height=(OVERLAY_HEAD+camera.height+legendHigh+44)*scale;let context=contextOf(canvas);context.
fillStyle=colours.background,context.fillRect(0,0,canvas.width,canvas.height);let image=context.getImageData(0,OVERLAY_HEAD*
scale,canvas.width,Math.round(camera.height*scale));paintDots(image,{...scene,shows:scene.showsDots}),context.putImageData(
image,0,OVERLAY_HEAD*scale),context.scale(scale,scale),context.save(),context.beginPath(),context.rect(0,OVERLAY_HEAD,camera.
width,camera.height),context.clip(),context.translate(0,OVERLAY_HEAD),paintCore(context,{...scene,shows:scene.showsCore}),
context.restore(),context.fillStyle=colours.text,context.font=`600 17px ${font}`,context.fillText(overlayTitle(header),SIDE,
28,camera.width-2*SIDE),context.font=`12px ${font}`;let foot=OVERLAY_HEAD+camera.height+18;for(let{entry,words:words2,x,
y}of places)entryMark(context,entry,x+5,foot+y-4,colours,nVersions),context.fillStyle=colours.text,context.fillText(words2,
x+15,foot+y);return context.fillStyle=colours.faint,context.fillText(overlayCaption(header),SIDE,foot+legendHigh+6,camera.
width-2*SIDE),new Promise(resolve=>canvas.toBlob(resolve,"image/png"))}function entryMark(context,{kind,code},x,y,colours,nVersions){
if(kind==="core")return drawCoreMark(context,code,x,y,4.6,colours,nVersions);context.beginPath(),context.arc(x,y,4,0,2*Math.
PI),context.fillStyle=groupColours(colours,nVersions)[code],context.globalAlpha=code===0?.5:1,context.fill(),context.globalAlpha=
1}function overlaySvg(scene,font){let{camera,colours,header}=scene,{places,high:legendHigh}=placedEntries(scene.entries,
camera.width,words2=>words2.length*LETTER_PX),high=OVERLAY_HEAD+camera.height+legendHigh+44,root=svgSheet(camera.width,high,
{title:overlayTitle(header),description:`${scene.description} ${overlayCaption(header)}`,background:colours.background,"\
font-family":font}),clip=svgElement("clipPath",{id:"frame"});clip.append(svgElement("rect",{width:camera.width,height:camera.
height}));let inner=svgElement("g",{transform:`translate(0 ${OVERLAY_HEAD})`,"clip-path":"url(#frame)"});inner.append(...svgDots(
scene),...svgCore(scene)),root.append(clip,inner,svgElement("text",{x:SIDE,y:28,"font-size":17,"font-weight":600,fill:colours.
text},overlayTitle(header)));let foot=OVERLAY_HEAD+camera.height+18;for(let{entry,words:words2,x,y}of places)root.append(
...svgEntry(entry,x+5,foot+y-4,scene)),root.append(svgElement("text",{x:x+15,y:foot+y,"font-size":12,fill:colours.text},
words2));return root.append(svgElement("text",{x:SIDE,y:foot+legendHigh+6,"font-size":12,fill:colours.faint},overlayCaption(
header))),svgText(root)}function inFrame(camera,px2,py){return px2>-5&&py>-5&&px2<camera.width+5&&py<camera.height+5}function svgDots({
arrays,groups,nPlaced,nVersions,camera,colours,showsDots}){let palette=groupColours(colours,nVersions);return drawingOrder(
nVersions).filter(showsDots).map(code=>{let places=[];for(let row=0;row<nPlaced;row++){if(groups[row]!==code||arrays.core[row])
continue;let[px2,py]=[camera.pixelX(arrays.x[row]),camera.pixelY(arrays.y[row])];inFrame(camera,px2,py)&&places.push(`M${px2.
toFixed(1)} ${py.toFixed(1)}h0`)}return svgElement("path",{d:places.join("")||"M0 0",stroke:palette[code],fill:"none","s\
troke-linecap":"round","stroke-width":(2*overlayDot(nPlaced,camera.closeness)+.6).toFixed(2),"stroke-opacity":groupOpacity(
code,nVersions).toFixed(2)})})}function svgCore({arrays,groups,nPlaced,nVersions,camera,colours,showsCore,titleOf}){let marks=[],
radius=5.2*coreShrink(arrays.core.reduce((n,is)=>n+is,0));for(let code of drawingOrder(nVersions).filter(showsCore))for(let row=0;row<
nPlaced;row++){if(!arrays.core[row]||groups[row]!==code)continue;let[px2,py]=[camera.pixelX(arrays.x[row]),camera.pixelY(
arrays.y[row])];inFrame(camera,px2,py)&&marks.push(svgMark(code,px2,py,radius,colours,nVersions,titleOf(row)))}return marks}
function svgMark(code,x,y,radius,colours,nVersions,title){let group=svgElement("g",{});title&&group.append(svgElement("t\
itle",{},title));let at={cx:x.toFixed(1),cy:y.toFixed(1),r:radius};group.append(svgElement("circle",{...at,r:radius+1.6,
fill:colours.background}));let slice=coreSlice(code,nVersions);if(slice&&slice[1]-slice[0]===1)group.append(svgElement("\
circle",{...at,fill:colours.core}));else if(slice){let[from,to]=slice.map(turns=>turns*2*Math.PI),end=angle=>`${(x+radius*
Math.cos(angle)).toFixed(2)} ${(y+radius*Math.sin(angle)).toFixed(2)}`;group.append(svgElement("path",{d:`M${end(from)}A${radius}\
 ${radius} 0 0 1 ${end(to)}Z`,fill:colours.core}))}let width=code===0?1.7:1.9;return group.append(svgElement("circle",{...at,
fill:"none",stroke:coreEdge(code,colours,nVersions),"stroke-width":width})),group}function svgEntry({kind,code},x,y,{colours,
nVersions}){if(kind==="core")return[svgMark(code,x,y,4.6,colours,nVersions,"")];let look={fill:groupColours(colours,nVersions)[code],
"fill-opacity":code===0?.5:1};return[svgElement("circle",{cx:x,cy:y,r:4,...look})]}var CORE_RADIUS=5.2,NONE_SHARE=.42,DOT_DEPTH={
alone:.86,several:.6,none:.5};function groupColours(colours,nVersions){return[colours.not_relevant,...["relevant","secon\
d","third"].slice(0,nVersions).map(role=>colours[role]),colours.text]}function drawingOrder(nVersions){return[0,nVersions+
1,...Array.from({length:nVersions},(_,k)=>k+1)]}function overlayDot(n,closeness){let base=n>2e4?1.1:n>8e3?1.4:n>2e3?1.8:
2.6;return Math.min(base*Math.sqrt(Math.max(closeness,1)),4.5)}function groupOpacity(code,nVersions){return code===0?DOT_DEPTH.
none*NONE_SHARE*2:code>nVersions?DOT_DEPTH.several:DOT_DEPTH.alone}function paintDots(image,{arrays,groups,nPlaced,nVersions,
camera,colours,shows,scale}){let stamp=discStamp(overlayDot(nPlaced,camera.closeness)*scale),palette=groupColours(colours,
nVersions).map(channels),{x,y}=arrays;for(let code of drawingOrder(nVersions)){if(!shows(code))continue;let opacity=groupOpacity(
code,nVersions);for(let row=0;row<nPlaced;row++)groups[row]!==code||arrays.core[row]||stampAt(image,stamp,camera.pixelX(
x[row])*scale,camera.pixelY(y[row])*scale,palette[code],opacity)}}function discStamp(radius){let reach=Math.ceil(radius),
places=[];for(let dy=-reach;dy<=reach;dy++)for(let dx=-reach;dx<=reach;dx++){let cover=Math.min(1,Math.max(0,radius+.5-Math.
hypot(dx,dy)));cover>.05&&places.push([dx,dy,cover])}return{reach,places}}function stampAt({data,width,height},{reach,places},px2,py,[
r,g,b],opacity){let[left,top]=[Math.round(px2),Math.round(py)];if(!(left<reach||top<reach||left>=width-reach||top>=height-
reach))for(let[dx,dy,cover]of places){let at=((top+dy)*width+left+dx)*4,share2=cover*opacity;data[at]+=(r-data[at])*share2,
data[at+1]+=(g-data[at+1])*share2,data[at+2]+=(b-data[at+2])*share2}}function paintCore(context,{arrays,groups,nPlaced,nVersions,
camera,colours,shows}){let radius=CORE_RADIUS*coreShrink(arrays.core.reduce((n,is)=>n+is,0));for(let code of drawingOrder(
nVersions))if(shows(code))for(let row=0;row<nPlaced;row++)!arrays.core[row]||groups[row]!==code||drawCoreMark(context,code,
camera.pixelX(arrays.x[row]),camera.pixelY(arrays.y[row]),radius,colours,nVersions)}function coreSlice(code,nVersions){return code===
0?null:code>nVersions||nVersions===1?[0,1]:[[.25,.75],[.75,1.25],[0,.5]][code-1]}function drawCoreMark(context,code,x,y,radius,colours,nVersions){
let slice=coreSlice(code,nVersions),turn=2*Math.PI;circle(context,x,y,radius+1.6,colours.background),circle(context,x,y,
radius,colours.background),slice&&(context.beginPath(),slice[1]-slice[0]<1&&context.moveTo(x,y),context.arc(x,y,radius,slice[0]*
turn,slice[1]*turn),context.closePath(),context.fillStyle=colours.core,context.fill()),context.beginPath(),context.arc(x,
y,radius,0,turn),context.strokeStyle=coreEdge(code,colours,nVersions),context.lineWidth=code===0?1.7:1.9,context.stroke()}
function coreEdge(code,colours,nVersions){return code===0?colours.core:code>nVersions?colours.core_edge:groupColours(colours,
nVersions)[code]}function circle(context,x,y,radius,colour){context.beginPath(),context.arc(x,y,radius,0,2*Math.PI),context.
fillStyle=colour,context.fill()}var OVERLAY_REACH_PX=9,OVERLAY_HEAD_START_PX=5,OVERLAY_INSETS={left:14,right:14,top:14,bottom:14},LEGEND_ICON=15,OverlayVersions=class extends Part{document;payload;theme;colours;groups=new Uint8Array(
0);grid=new RowGrid([],[]);titles=new Titles(new Uint8Array(0));ids=new Titles(new Uint8Array(0));entries=[];hidden=new Set;alone=null;focus=-1;constructor(root,store,python){
super(root,store,python),this.camera=new Camera,this.camera.insets=OVERLAY_INSETS,this.canvas=make("canvas",{class:"over\
lay-canvas",tabindex:"0",role:"img","data-testid":"overlay-canvas"}),this.context=contextOf(this.canvas,{alpha:!1,willReadFrequently:!0}),
this.card=make("div",{class:"hover-card",hidden:""},make("p",{class:"card-title"}),make("p",{class:"card-facts"})),this.
stage=make("div",{class:"overlay-stage"},this.canvas,this.card),this.legend=make("ul",{class:"overlay-legend","aria-labe\
l":"Marks: press to show or hide"}),this.status=make("span",{class:"unseen",role:"status"}),this.foot=make("div",{class:"\
overlay-foot"},...this.#buttons(),this.status),root.append(this.stage,this.legend,this.foot),this.frame=oncePerFrame(()=>this.
draw()),this.observer=new ResizeObserver(()=>this.frame.ask()),this.observer.observe(this.stage),this.listen({data:()=>this.#take()}),
this.hand=new Hand(this.canvas,this.#actions()),this.canvas.addEventListener("blur",()=>this.#hover(-1)),this.stage.addEventListener(
"transitionrun",()=>this.#dress())}destroy(){super.destroy(),this.observer.disconnect(),this.frame.stop()}update(document2){
this.document=document2,this.stage.style.setProperty("--height",`${document2.height}px`),this.store.useOnly("overlay",document2.
overlay),this.#take()}#buttons(){let label2=make("span",{class:"label"},"Save as"),files=["PNG","SVG","CSV"].map(kind=>button(
kind,()=>this.#save(kind),{"data-file":kind.toLowerCase()})),home=button("Whole landscape",()=>this.#move(()=>this.camera.
home()),{"data-file":"home"});return[label2,...files,home]}#actions(){let move=change=>this.#move(change);return{pan:(dx,dy)=>move(
()=>this.camera.pan(dx,dy)),zoom:(factor,px2,py)=>move(()=>this.camera.zoom(factor,px2,py)),home:()=>move(()=>this.camera.
home()),hover:(px2,py)=>this.#hover(this.#rowAt(px2,py),px2,py),click:(px2,py)=>this.#hover(this.#rowAt(px2,py),px2,py),
leave:()=>this.#hover(-1),escape:()=>this.#hover(-1),enter:()=>this.#enter(),lassoMove:()=>{},lassoEnd:()=>{}}}#move(change){
change(),this.#hover(-1),this.frame.now()}#take(){let payload=this.store.overlay;if(!payload||payload===this.payload)return this.#dress();
let{header,arrays}=payload,before=this.payload?.header;return this.payload=payload,this.groups=groupsOf(arrays.members,header.
labels.length),this.grid=new RowGrid(arrays.x,arrays.y),this.titles=new Titles(arrays.titles),this.ids=new Titles(arrays.
ids),this.camera.frame(header.bounds),before?.labels.join(`
`)!==header.labels.join(`
`)&&(this.hidden=new Set,this.alone=null),this.entries=overlayEntries(payload,this.groups),this.#fillLegend(),this.#dress()}#dress(){
if(!this.payload)return;let theme=isDark(this.root)?"dark":"light";if(this.theme!==theme){this.theme=theme,this.colours=
this.payload.header.colours[theme];for(let icon of this.legend.querySelectorAll("canvas"))drawEntryIcon(icon,this.colours,
this.payload.header.labels.length)}this.frame.ask()}#fillLegend(){this.theme=void 0,this.legend.replaceChildren(...this.
entries.map(entry=>{let icon=make("canvas",{"aria-hidden":"true","data-kind":entry.kind,"data-code":entry.code}),toggle=make(
"button",{type:"button",class:"entry","data-entry":entry.name},icon,entry.label,make("b",{},count(entry.n)));toggle.addEventListener(
"click",()=>this.#toggle(entry.name));let only=button("only",()=>this.#alone(entry.name),{kind:"only","aria-label":`Only\
: ${entry.label}`});return make("li",{},toggle,only)})),this.#followLegend()}#toggle(name){this.alone=null,this.hidden.delete(
name)||this.hidden.add(name),this.#followLegend()}#alone(name){this.alone=this.alone===name?null:name,this.hidden=new Set,
this.#followLegend()}shows(name){return this.alone?this.alone===name||this.alone.replace("group-","core-")===name:!this.
hidden.has(name)}#followLegend(){for(let item of this.legend.children){let[toggle,only]=item.children,name=toggle.getAttribute(
"data-entry")??"";attribute(toggle,"aria-pressed",String(this.shows(name))),attribute(only,"aria-pressed",String(this.alone===
name))}attribute(this.canvas,"aria-label",this.description()),this.frame.ask()}description(){let{header}=this.payload,counts=this.
entries.map(({label:label2,n})=>`${label2} ${count(n)}`).join(", ");return`Landscape of ${topicTitle(header)}, publicati\
ons and core publications by version: ${counts}. Arrow keys move, plus and minus zoom, 0 shows all, Enter names the publ\
ication in the middle.`}scene(scale){let{header,arrays}=this.payload;return{arrays,groups:this.groups,nPlaced:header.n_placed,
nVersions:header.labels.length,camera:this.camera,colours:this.colours,scale,header,entries:this.entries.filter(({name})=>this.
shows(name)),description:this.description(),titleOf:row=>this.titles.title(row),showsDots:code=>this.shows(`group-${code}`),
showsCore:code=>this.shows(`core-${code}`)}}draw(){let{clientWidth:width,clientHeight:height}=this.stage;if(!width||!height||
!this.context||!this.payload||!this.colours)return;let scale=Math.min(2,globalThis.devicePixelRatio||1),[wide,high]=[Math.
round(width*scale),Math.round(height*scale)];sizeCanvas(this.canvas,wide,high),this.camera.resize(width,height),drawScene(
this.context,this.scene(scale),wide,high),this.#ring(scale)}#ring(scale){if(this.focus<0)return;let{arrays}=this.payload;
this.context.save(),this.context.scale(scale,scale),this.context.beginPath(),this.context.arc(this.camera.pixelX(arrays.
x[this.focus]),this.camera.pixelY(arrays.y[this.focus]),8,0,2*Math.PI),this.context.strokeStyle=this.colours.selection,this.
context.lineWidth=1.8,this.context.stroke(),this.context.restore()}#rowAt(px2,py){if(!this.payload)return-1;let{arrays}=this.
payload,reach=OVERLAY_REACH_PX/this.camera.scale,seen2=row=>this.shows(`${arrays.core[row]?"core":"group"}-${this.groups[row]}`),
head=row=>seen2(row)?arrays.core[row]?OVERLAY_HEAD_START_PX/this.camera.scale:0:-1/0;return this.grid.nearest(this.camera.
placeX(px2),this.camera.placeY(py),reach,head)}#enter(){let[px2,py]=[this.camera.width/2,this.camera.height/2],{arrays}=this.
payload,seen2=row2=>this.shows(`${arrays.core[row2]?"core":"group"}-${this.groups[row2]}`),row=this.grid.nearest(this.camera.
placeX(px2),this.camera.placeY(py),this.#farthest(),each=>seen2(each)?0:-1/0);this.#hover(row,px2,py),row>=0&&write(this.
status,this.card.textContent)}#farthest(){let[x0,y0,x1,y1]=this.payload.header.bounds;return 2*(x1-x0+y1-y0)}#hover(row,px2=0,py=0){
if(row!==this.focus&&this.frame.ask(),this.focus=row,show(this.card,row>=0),row<0)return;let{header,arrays}=this.payload,
[title,facts]=this.card.children;write(title,this.titles.title(row)||this.ids.title(row));let core=arrays.core[row]?[arrays.
members[row]?"core publication":"core publication, missed"]:[];write(facts,[arrays.year[row]||null,...core,heldBy(arrays.
members[row],header.labels)].filter(Boolean).join(" · "));let{x,y}=placeCard(px2,py,this.card.offsetWidth,this.card.offsetHeight,
this.camera.width,this.camera.height);this.card.style.transform=`translate(${x}px, ${y}px)`}async#save(kind){if(!this.payload)
return;let{header}=this.payload,name=`${fileName(header.topic,header.labels.join(" "),"landscape")}.${kind.toLowerCase()}`,
font=getComputedStyle(this.root).fontFamily;if(kind==="CSV"){let isShown=(code,core)=>this.shows(`${core?"core":"group"}\
-${code}`),table=overlayTable(this.payload,this.groups,row=>this.ids.title(row),row=>this.titles.title(row),isShown);saveFile(
csvOf(table),"text/csv;charset=utf-8",name)}else kind==="SVG"?saveFile(overlaySvg(this.scene(1),font),"image/svg+xml",name):
saveFile(await overlayPng(this.scene(2),font),"image/png",name);write(this.status,`Saved ${name}.`)}};function drawScene(context,scene,wide,high){
context.setTransform(1,0,0,1,0,0),context.fillStyle=scene.colours.background,context.fillRect(0,0,wide,high);let image=context.
getImageData(0,0,wide,high);paintDots(image,{...scene,shows:scene.showsDots}),context.putImageData(image,0,0),context.save(),
context.scale(scene.scale,scene.scale),paintCore(context,{...scene,shows:scene.showsCore}),context.restore()}function drawEntryIcon(icon,colours,nVersions){
let scale=Math.min(2,globalThis.devicePixelRatio||1);icon.width=icon.height=LEGEND_ICON*scale;let context=contextOf(icon);
context.scale(scale,scale);let{kind,code}=icon.dataset;entryMark(context,{kind,code:Number(code)},LEGEND_ICON/2,LEGEND_ICON/
2,colours,nVersions)}function groupsOf(members,nVersions){let code=new Uint8Array(1<<nVersions).fill(nVersions+1);code[0]=
0;for(let bit=0;bit<nVersions;bit++)code[1<<bit]=bit+1;return members.map(member=>code[member])}function groupTallies(groups,core,nPlaced,nVersions){
let tallies=Array.from({length:nVersions+2},()=>({n:0,nCore:0,nUnplaced:0}));for(let row=0;row<groups.length;row++){let tally2=tallies[groups[row]];
tally2.n++,core[row]&&tally2.nCore++,row>=nPlaced&&tally2.nUnplaced++}return tallies}function overlayEntries({header,arrays},groups){
let n=header.labels.length,tallies=groupTallies(groups,arrays.core,header.n_placed,n),order=[...header.labels.keys()].map(
k=>k+1).concat(n+1,0),dots=order.filter(code=>code<=n||n>1).map(code=>({name:`group-${code}`,kind:"dots",code,label:header.
groups[code],n:tallies[code].n})),found=order.filter(code=>code&&(code<=n||n>1)).map(code=>({name:`core-${code}`,kind:"c\
ore",code,n:tallies[code].nCore,label:code>n?`Core found by ${n===2?"both":"several"}`:`Core: only ${header.labels[code-
1]}`}));return[...dots,...found,{name:"core-0",kind:"core",code:0,label:"Core missed",n:tallies[0].nCore}]}function heldBy(member,labels){
let having=labels.filter((_,bit)=>member>>bit&1);return having.length?having.length===labels.length?labels.length===2?"B\
oth versions retrieve it.":"All versions retrieve it.":having.length>1?`${having.slice(0,-1).join(", ")} and ${having.at(
-1)} retrieve it.`:`Only ${having[0]} retrieves it.`:labels.length===2?"Neither version retrieves it.":"None of the vers\
ions retrieves it."}function overlayTable({header,arrays},groups,idOf,titleOf,isShown){let head=["Id","Title","Year",...header.
labels.map(label2=>`In ${label2}`),"Group","Core"],rows=[];for(let row=0;row<groups.length;row++){if(!isShown(groups[row],
arrays.core[row]))continue;let held=header.labels.map((_,bit)=>arrays.members[row]>>bit&1?"yes":"no");rows.push([idOf(row),
titleOf(row),arrays.year[row]||null,...held,header.groups[groups[row]],arrays.core[row]?"yes":"no"])}return[head,...rows]}var nameOf=topic=>`queryscape-looked-${topic}`;function lookedAt(topic,storage=globalThis.localStorage){try{let kept=JSON.
parse(storage.getItem(nameOf(topic))??"[]");return new Set(Array.isArray(kept)?kept.filter(label2=>typeof label2=="strin\
g"):[])}catch{return new Set}}function keepLooked(topic,label2,storage=globalThis.localStorage){let looked=lookedAt(topic,
storage);if(label2===null||looked.has(label2))return looked;looked.add(label2);try{storage.setItem(nameOf(topic),JSON.stringify(
[...looked]))}catch{}return looked}var HIGH3=132,APART=16,NAME_LEFT_FROM=.86,EDGE2={left:34,right:24,top:16,bottom:20},VersionsStrip=class extends Part{constructor(root,store,python){
super(root,store,python),this.data=null,this.showsAll=!1,this.title=make("h2",{},"Versions"),this.about=make("p",{class:"\
about"},"Core found over publications retrieved; lines lead from a version to what was made from it."),this.more=button(
"",()=>this.#showAll(),{kind:"quiet","aria-pressed":"false"}),this.lines=svgElement("svg",{class:"lines","aria-hidden":"\
true"}),this.dots=make("ol",{class:"dots"}),this.plot=make("div",{class:"plot"},this.lines,this.dots),root.append(make("\
div",{class:"line"},this.title,this.about,this.more),this.plot),this.frame=oncePerFrame(()=>this.draw()),this.observer=new ResizeObserver(
()=>this.frame.ask()),this.observer.observe(this.plot)}destroy(){super.destroy(),this.observer.disconnect(),this.frame.stop()}update(data){
this.data=data,this.looked=keepLooked(data.topic,data.opened===data.newest?null:data.opened),this.draw()}#showAll(){this.
showsAll=!this.showsAll,attribute(this.more,"aria-pressed",String(this.showsAll)),this.draw()}#open(label2){label2!==this.
data.opened&&this.python.setStateValue("ask",{seq:Math.max(Date.now(),this.data.seq+1),label:label2})}draw(){let{data,plot}=this;
if(!data||!plot.clientWidth)return;let folded=foldedOf(data,this.looked??lookedAt(data.topic));show(this.more,folded.size>
0),write(this.more,this.showsAll?"Fold runs":`Show ${countOf(folded.size,"more run")}`),attribute(this.more,"title","Unn\
amed runs that were not opened again");let shown=data.versions.filter(({label:label2})=>this.showsAll||!folded.has(label2)),
places=placesOf(shown,plot.clientWidth),place=({label:name})=>places.get(name)??{x:0,y:0};this.#drawLines(shown,place);let focused=this.
root.getRootNode().activeElement?.getAttribute("data-label");this.dots.replaceChildren(...shown.map(version=>this.#dot(version,
place(version)))),focused&&this.dots.querySelector(`[data-label="${CSS.escape(focused)}"]`)?.focus()}#drawLines(shown,place){
let{clientWidth:width}=this.plot,of=new Map(shown.map(version=>[version.label,version])),links=shown.filter(({parent})=>of.
has(parent)).map(version=>{let[from,to]=[place(of.get(version.parent)),place(version)],opened=version.label===this.data.
opened||version.parent===this.data.opened;return svgElement("line",{x1:from.x,y1:from.y,x2:to.x,y2:to.y,class:opened?"li\
nk opened":"link"})}),low=HIGH3-EDGE2.bottom,sizes=shown.map(({n_retrieved:n})=>n).sort((a,b)=>a-b),axes=[svgElement("pa\
th",{class:"axis",d:`M${EDGE2.left} ${EDGE2.top}V${low}H${width-EDGE2.right}`}),label(EDGE2.left-6,EDGE2.top+4,count(shown[0].
n_core),"end"),label(EDGE2.left-6,low+4,"0","end"),label(EDGE2.left+20,HIGH3-4,`${count(sizes[0])} retrieved`,"start"),label(
width-EDGE2.right,HIGH3-4,`${count(sizes[sizes.length-1])} retrieved`,"end")];attribute(this.lines,"viewBox",`0 0 ${width}\
 ${HIGH3}`),this.lines.replaceChildren(...axes,...links)}#dot(version,{x,y}){let{label:name,n_found:found,n_core:core,n_retrieved:retrieved,
f_beta:score}=version,isOpened=name===this.data.opened,words2=[`${found} of ${core} core found`,`${count(retrieved)} ret\
rieved`];typeof score=="number"&&words2.push(`F2 ${significant(score)}`);let title=`${version.name?`${name}: ${version.name}`:
name}. ${words2.join(", ")}`,dot=make("button",{type:"button","data-label":name,title,"aria-label":title,"aria-current":isOpened?
"true":null},make("span",{class:"dot"}),make("span",{class:"dot-name","aria-hidden":"true"},name));dot.addEventListener(
"click",()=>this.#open(name));let item=make("li",{class:x>NAME_LEFT_FROM*this.plot.clientWidth?"name-left":null},dot);return Object.
assign(item.style,{left:`${x}px`,top:`${y}px`}),item}};function label(x,y,words2,anchor){return svgElement("text",{x,y,"\
text-anchor":anchor,class:"axis-label"},words2)}function placesOf(versions,width){let sizes=versions.map(({n_retrieved:n})=>Math.
log(1+n)),[low,high]=[Math.min(...sizes),Math.max(...sizes)],wide=width-EDGE2.left-EDGE2.right-40,tall=HIGH3-EDGE2.top-EDGE2.
bottom,places=new Map;for(let{label:name,n_retrieved:n,n_found:found,n_core:core}of versions){let x=EDGE2.left+20+(high>
low?wide*(Math.log(1+n)-low)/(high-low):wide/2),y=EDGE2.top+tall*(1-(core?found/core:0)),isTaken=other=>Math.abs(other.x-
x)<APART&&Math.abs(other.y-y)<APART;for(;[...places.values()].some(isTaken);)x+=APART;places.set(name,{x,y})}return places}
function foldedOf({versions,opened,newest},looked){let parent=versions.find(({label:name})=>name===opened)?.parent,stays=new Set(
[opened,newest,parent,...looked]);return new Set(versions.filter(({label:name,is_run:isRun})=>isRun&&!stays.has(name)).map(
({label:name})=>name))}var PAIR=/[\ud800-\udbff][\udc00-\udfff]/;function unitsOf(text){if(!PAIR.test(text))return place=>place;let starts=[],at=0;
for(let character of text)starts.push(at),at+=character.length;return place=>place<starts.length?starts[Math.max(place,0)]:
text.length}function inUnits(data){if(!PAIR.test(data.text??""))return data;let unit=unitsOf(data.text),placed=each=>({...each,
start:unit(each.start),end:unit(each.end)}),all=list=>list?.map(placed)??list;return{...data,findings:all(data.findings),
spans:all(data.spans),nodes:all(data.nodes),lines:all(data.lines),core:data.core?.map(entry=>({...entry,failing:all(entry.
failing)})),translations:data.translations?.map(each=>({...each,losses:all(each.losses)}))??data.translations}}function commonEnds(before,after){
let most=Math.min(before.length,after.length),head=0;for(;head<most&&before.charCodeAt(head)===after.charCodeAt(head);)head++;
let tail=0,[b,a]=[before.length-1,after.length-1];for(;tail<most-head&&before.charCodeAt(b-tail)===after.charCodeAt(a-tail);)
tail++;return{head,tail}}function shiftedSpans(before,after,spans){if(before===after)return spans;let{head,tail}=commonEnds(
before,after),shift=after.length-before.length,kept=[];for(let span of spans)span.end<=head?kept.push(span):span.start>=
before.length-tail&&kept.push({...span,start:span.start+shift,end:span.end+shift});return kept}function nodeAt(nodes,place){
let best=null;for(let node of nodes)node.start>place||node.end<place||(!best||node.depth>best.depth||node.depth===best.depth&&
node.start===place)&&(best=node);return best}function copiedLines(lines){return lines.map(({number,text,hits})=>{let known=typeof hits==
"number"?` (${hits})`:"";return`${number}. ${text.replace(/\s+/g," ").trim()}${known}`}).join(`
`)}var WORSE={hint:1,warning:2,error:3};function runsOf(text,spans,findings=[],struck=[],revived=[]){let marks=findings.
map(({start,end,severity})=>({...widened(start,end,text.length),severity})),cuts=new Set([0,text.length]);for(let{start,
end}of[...spans,...marks,...struck,...revived])cuts.add(start).add(end);let places=[...cuts].filter(at2=>at2>=0&&at2<=text.
length).sort((a,b)=>a-b),severities=worstBetween(places,marks),off=coveredBetween(places,struck),on=coveredBetween(places,
revived),runs=[],at=0;for(let i=0;i+1<places.length;i++){let[start,end]=[places[i],places[i+1]];for(;at<spans.length&&spans[at].
end<=start;)at++;let span=spans[at]?.start<=start?spans[at]:null,kind=span?on[i]&&span.kind==="off"?"term":span.kind:null,
last=runs.at(-1),run={start,end,kind,severity:severities[i],struck:off[i]||kind==="off",node:span?.node??null};last&&sameLook(
last,run)&&last.span===span?last.end=end:runs.push({...run,span})}return runs.map(({span,...run})=>run)}function classOf({
kind,severity,struck}){return[kind&&`is-${kind}`,severity&&`has-${severity}`,struck&&"is-struck"].filter(Boolean).join("\
 ")}function sameLook(a,b){return classOf(a)===classOf(b)&&a.node===b.node}function widened(start,end,length){let from=Math.
max(0,Math.min(start,length)),to=Math.max(from,Math.min(end,length));return to>from?{start:from,end:to}:from>0?{start:from-
1,end:from}:{start:0,end:Math.min(1,length)}}function worstBetween(places,marks){let index=new Map(places.map((place,i)=>[
place,i])),worst=new Array(places.length).fill(null);for(let{start,end,severity}of marks)for(let i=index.get(start);i<index.
get(end);i++)(WORSE[severity]??0)>(WORSE[worst[i]]??0)&&(worst[i]=severity);return worst}function coveredBetween(places,intervals){
let steps=new Map;for(let{start,end}of intervals)steps.set(start,(steps.get(start)??0)+1),steps.set(end,(steps.get(end)??
0)-1);let depth=0;return places.map(place=>(depth+=steps.get(place)??0)>0)}function changedBetween(before,after){let most=Math.
min(before.length,after.length),head=0;for(;head<most&&before[head]===after[head];)head++;let tail=0;for(;tail<most-head&&
before[before.length-1-tail]===after[after.length-1-tail];)tail++;return{head,tail}}function runsWithin(runs,{start,end}){
let[low,high]=[0,runs.length];for(;low<high;){let middle=low+high>>1;runs[middle].end>start?high=middle:low=middle+1}let behind=low;
for(;behind<runs.length&&runs[behind].start<end;)behind++;return[low,behind]}function columnRuns(pieces,side){let other=side===
0?"new":"gone",runs=[];for(let[fate,...texts]of pieces){if(fate===other)continue;let text=texts[side];runs.length&&runs.
at(-1)[0]===fate?runs.at(-1)[1]+=text:runs.push([fate,text])}return runs}function spansInUnits(text,spans){let unit=unitsOf(
text),found=[];for(let[start,end]of[...spans].sort((a,b)=>a[0]-b[0]||a[1]-b[1])){let from=Math.max(unit(start),found.at(
-1)?.[1]??0);unit(end)>from&&found.push([from,unit(end)])}return found}function cutAtSpans(runs,spans){let cut=[],at=0,next=0;
for(let[fate,text]of runs){let end=at+text.length,from=at;for(;from<end;){for(;next<spans.length&&spans[next][1]<=from;)
next++;let span=spans[next],isLit=!!span&&span[0]<=from,to=Math.min(end,span?isLit?span[1]:span[0]:end);cut.push([fate,text.
slice(from-at,to-at),isLit]),from=to}at=end}return cut}var SIGNS={kept:"",gone:"del",new:"ins"},VersionsText=class extends Part{constructor(root,store,python){super(root,store,
python),this.columns=[0,1].map(side=>new TextColumn(side)),this.inline=make("pre",{class:"wording inline",tabindex:"0","\
aria-label":"Both texts in one"}),this.summary=make("p",{class:"summary",role:"status"}),this.list=make("ol",{class:"cha\
nges"}),this.readings=make("table",{class:"readings"});let texts=make("div",{class:"texts"},...this.columns.map(column=>column.
element),this.inline),scrolled=make("div",{class:"scroll",role:"group","aria-label":"How each was read",tabindex:0},this.
readings);root.append(texts,this.summary,this.list,make("h2",{},"How each was read"),scrolled)}update(document2){this.root.
dataset.theme=isDark(this.root)?"dark":"light";for(let[name,colour]of Object.entries(document2.colours[this.root.dataset.
theme]))this.root.style.setProperty(`--${name}`,colour);let key=JSON.stringify([document2.pieces,document2.changes,document2.
readings]);redraw(this.list,key,()=>{for(let column of this.columns)column.show(document2);return this.#fillInline(document2.
pieces),write(this.summary,document2.summary),this.readings.replaceChildren(...readingRows(document2.readings)),document2.
changes.map(change=>this.#change(change))})}#fillInline(pieces){this.inline.replaceChildren(...pieces.flatMap(([fate,before,
after])=>marked(fate,fate==="new"?after:before)))}#change({kind,sentence,first,second}){let press=make("button",{type:"b\
utton",class:"change","data-stay":sentence},sentence),light=on=>{for(let[at,column]of this.columns.entries())column.light(
on?[first,second][at]:[])};return press.addEventListener("pointerenter",()=>light(!0)),press.addEventListener("pointerle\
ave",()=>light(!1)),press.addEventListener("focus",()=>light(!0)),press.addEventListener("blur",()=>light(!1)),press.addEventListener(
"click",()=>{light(!0);for(let column of this.columns)column.scrollToLight()}),make("li",{"data-kind":kind.replace(" ","\
-")},press)}},TextColumn=class{constructor(side){this.side=side,this.name=make("h2",{}),this.text=make("pre",{class:"wor\
ding",tabindex:"0"}),this.copy=copyButton("Copy",()=>this.whole,{class:"quiet"}),this.element=make("section",{class:`col\
umn side-${side}`},make("header",{},this.name,this.copy),this.text),this.lit="[]"}show({names,pieces}){write(this.name,names[this.
side]),this.copy.setAttribute("aria-label",`Copy the text of ${names[this.side]}`),this.text.setAttribute("aria-label",`\
Text of ${names[this.side]}`),this.runs=columnRuns(pieces,this.side),this.whole=this.runs.map(([,text])=>text).join(""),
this.lit="[]",this.#draw([])}light(spans){let key=JSON.stringify(spans);key!==this.lit&&(this.lit=key,this.#draw(spansInUnits(
this.whole,spans)))}scrollToLight(){let lit=this.text.querySelector(".lit");lit&&this.text.scrollTo({top:lit.offsetTop-this.
text.clientHeight/3,behavior:"smooth"})}#draw(spans){let{scrollTop}=this.text;this.whole?this.text.replaceChildren(...cutAtSpans(
this.runs,spans).flatMap(([fate,text,isLit])=>marked(fate,text,isLit))):this.text.replaceChildren(make("span",{class:"no\
ne"},"The text is unknown.")),this.text.scrollTop=scrollTop}};function marked(fate,text,isLit=!1){if(!text)return[];let tag=SIGNS[fate];
if(!tag&&!isLit)return[text];let[,lead,body,trail]=/^(\s*)([^]*?)(\s*)$/.exec(text);return body?[lead,make(tag||"span",isLit?
{class:"lit"}:{},body),trail]:[text]}function readingRows(readings){let facts=[...new Set(readings.flatMap(({facts:pairs})=>pairs.
map(([name])=>name)))];return[make("tr",{},make("td",{}),...readings.map(({name})=>make("th",{scope:"col"},name))),...facts.
map(fact=>make("tr",{},make("th",{scope:"row"},fact),...readings.map(({facts:pairs})=>make("td",{},pairs.find(([name])=>name===
fact)?.[1]??"–"))))]}var MAP_SHARPEST=2,EDGE_PX=10,ABSENT_SHARE=.5,MAP_ENTRIES=[["absent","not retrieved"],["retrieved","retrieved, far from \
the core"],["accepted","retrieved, close to it"],["found","core found"],["missed","core missed"]],CorpusMap=class{constructor(root){
this.root=root,this.corpus=null,this.retrieved=void 0,this.roles=null,this.camera=new Camera,this.camera.insets={left:EDGE_PX,
right:EDGE_PX,top:EDGE_PX,bottom:EDGE_PX},this.canvas=make("canvas",{class:"map-canvas",role:"img","data-testid":"corpus\
-map"}),this.context=contextOf(this.canvas,{alpha:!1}),this.stage=make("div",{class:"map-stage"},this.canvas),this.numbers=
new Map(MAP_ENTRIES.map(([key])=>[key,make("b",{})]));let legend=make("ul",{class:"map-legend"},...MAP_ENTRIES.map(([key,
words2])=>make("li",{},make("span",{class:`dot ${key}`,"aria-hidden":"true"}),this.numbers.get(key)??"",words2)));this.caption=
make("p",{class:"caption"}),this.element=make("figure",{class:"map","aria-label":"Landscape"},this.stage,make("figcaptio\
n",{},legend,this.caption)),this.frame=oncePerFrame(()=>this.draw()),this.observer=new ResizeObserver(()=>this.frame.ask()),
this.observer.observe(this.stage)}destroy(){this.observer.disconnect(),this.frame.stop()}update(corpus,retrieved){corpus===
this.corpus&&retrieved===this.retrieved||(corpus!==this.corpus&&corpus&&this.camera.frame(boundsOf(corpus.arrays.x,corpus.
arrays.y)),this.corpus=corpus,this.retrieved=retrieved,this.roles=corpus?rolesOf(corpus.arrays,bytesOf(retrieved)):null,
this.#tell(),this.frame.ask())}#tell(){let n=this.roles?tally(this.roles):null;for(let[key,element]of this.numbers)write(
element,n?count(n[ROLE[key]]):"");if(!n)return write(this.caption,"The landscape is loading."),attribute(this.canvas,"ar\
ia-label","Landscape, loading");let unseen=n[ROLE.unseen]?` ${count(n[ROLE.unseen])} without a vector are not shown.`:"";
write(this.caption,`Nearby dots have similar content. Open rings: core publications you miss.${unseen}`);let counts=MAP_ENTRIES.
map(([key,words2])=>`${count(n[ROLE[key]])} ${words2}`).join(", ");return attribute(this.canvas,"aria-label",`Landscape \
of the corpus: ${counts}.`)}look(){this.frame.ask()}colours(){let style=getComputedStyle(this.root),named=name=>style.getPropertyValue(
`--${name}`).trim();return{background:named("paper"),not_relevant:named("grey"),relevant:named("relevant"),core:named("c\
ore"),core_edge:named("core-edge")}}draw(){let{clientWidth:width,clientHeight:height}=this.stage;if(!width||!height||!this.
context)return;let scale=Math.min(MAP_SHARPEST,globalThis.devicePixelRatio||1),[wide,high]=[Math.round(width*scale),Math.
round(height*scale)];sizeCanvas(this.canvas,wide,high),this.camera.resize(width,height);let colours=this.colours(),image=this.
context.createImageData(wide,high),pixels=new Uint32Array(image.data.buffer);pixels.fill(pixelOf(colours.background));let{
corpus,roles}=this;corpus&&roles&&this.#dots(corpus.arrays,roles,pixels,wide,high,scale,colours),this.context.putImageData(
image,0,0),corpus&&roles&&this.#marks(corpus.arrays,roles,scale,colours)}#dots({x,y},roles,pixels,wide,high,scale,colours){
let{camera}=this,small=roles.length>2e4,layers=[[ROLE.absent,mixedChannels(colours.background,colours.not_relevant,ABSENT_SHARE),
small?1:1.4],[ROLE.retrieved,channels(colours.not_relevant),small?1.5:2],[ROLE.accepted,channels(colours.relevant),small?
1.5:2]];for(let[role,[r,g,b],size]of layers){let side=Math.max(1,Math.round(size*scale)),pixel=(4278190080|b<<16|g<<8|r)>>>
0;for(let row=0;row<roles.length;row++){if(roles[row]!==role)continue;let left=Math.round(camera.pixelX(x[row])*scale-side/
2),top=Math.round(camera.pixelY(y[row])*scale-side/2);if(!(left<0||top<0||left+side>wide||top+side>high))for(let py=top;py<
top+side;py++)pixels.fill(pixel,py*wide+left,py*wide+left+side)}}}#marks({x,y},roles,scale,colours){let{context,camera}=this,
n=tally(roles),shrink=coreShrink(n[ROLE.missed]+n[ROLE.found]);context.save(),context.scale(scale,scale);for(let mark of[
"missed","found"])for(let row=0;row<roles.length;row++)roles[row]===ROLE[mark]&&drawMark(context,mark,camera.pixelX(x[row]),
camera.pixelY(y[row]),MARK_RADII[mark]*shrink,colours);context.restore()}};function mixedChannels(under,over,share2){let below=channels(
under);return channels(over).map((value,at)=>Math.round(below[at]+(value-below[at])*share2))}function bytesOf(base64){if(!base64)
return new Uint8Array(0);try{return Uint8Array.from(atob(base64),character=>character.charCodeAt(0))}catch{return new Uint8Array(
0)}}function hasRow(bits,row){return(bits[row>>3]>>(row&7)&1)===1}var CORE_BIT=1,ACCEPTED_BIT=2,ROLE={unseen:0,absent:1,
retrieved:2,accepted:3,missed:4,found:5};function rolesOf({x,y,flags},bits){let roles=new Uint8Array(x.length);for(let row=0;row<
roles.length;row++){if(Number.isNaN(x[row])||Number.isNaN(y[row]))continue;let inside=hasRow(bits,row);flags[row]&CORE_BIT?
roles[row]=inside?ROLE.found:ROLE.missed:inside?roles[row]=flags[row]&ACCEPTED_BIT?ROLE.accepted:ROLE.retrieved:roles[row]=
ROLE.absent}return roles}function tally(roles){let n=new Uint32Array(6);for(let row=0;row<roles.length;row++)n[roles[row]]++;
return n}var BOARD_LISTS=[{id:"specific",key:"s",label:"Specific",hint:"each retrieves by itself"},{id:"general",key:"g",label:"G\
eneral",hint:"only together with an overarching keyword"},{id:"overarching",key:"o",label:"Overarching",hint:"combined w\
ith general keywords"},{id:"excluded",key:"x",label:"Excluded",hint:"publications with one of these are left out"},{id:"\
aside",key:"a",label:"Aside",hint:"not in the string"}];function listOfKey(pressed2){return BOARD_LISTS.find(({key})=>key===
pressed2.toLowerCase())?.id??null}function listLabel(id){return BOARD_LISTS.find(list=>list.id===id)?.label??id}function placeOf(lists,key){
for(let{id,rows}of lists){let at=rows.findIndex(row=>row.key===key);if(at>=0)return{list:id,at,row:rows[at]}}return null}
function withChanges(lists,changes){let now=lists;for(let change of changes){let here=placeOf(now,change.key);here&&(now=
now.map(({id,rows,...more})=>({id,...more,rows:rows.filter(({key})=>key!==change.key)})),change.kind==="move"&&(now=now.
map(list=>{if(list.id!==change.to)return list;let rows=[...list.rows];return rows.splice(change.place??rows.length,0,{...here.
row,stale:!0}),{...list,rows}})))}return now}function nextKey(lists,key,pressed2){let here=placeOf(lists,key);if(!here)return lists.
find(({rows:rows2})=>rows2.length)?.rows[0].key??null;let{rows}=lists.find(({id})=>id===here.list),inList={ArrowDown:here.
at+1,ArrowUp:here.at-1,Home:0,End:rows.length-1}[pressed2];if(inList!==void 0)return rows[Math.min(Math.max(inList,0),rows.
length-1)].key;let step={ArrowRight:1,ArrowLeft:-1}[pressed2];if(step===void 0)return key;let order=BOARD_LISTS.map(({id})=>lists.
find(list=>list.id===id)).filter(Boolean);for(let at=order.findIndex(({id})=>id===here.list)+step;order[at];at+=step){let there=order[at].
rows;if(there.length)return there[Math.min(here.at,there.length-1)].key}return key}function keyAfter(lists,key){let here=placeOf(
lists,key);if(!here)return null;let{rows}=lists.find(({id})=>id===here.list);return(rows[here.at+1]??rows[here.at-1])?.key??
key}function placeAt(middles,y){let at=middles.findIndex(middle=>y<middle);return at<0?middles.length:at}var SEEN_BETTER=5e-4,
WARNING_FLAGS=new Set(["zero_hit","harmful","not_testable","waits"]);function keywordFlags(row,beta){let score=`F${betaIndex(
beta)}`,alone=countOf(row.core_unique??0,"core publication"),known={zero_hit:["finds nothing","No publication here has i\
t. Check the spelling, or delete it."],not_testable:["can’t be tested","This corpus lacks the field it searches. It st\
ays in the string."],harmful:["better without",`Without it ${score} is higher: it costs more than it brings.`],waits:["w\
aits","General keywords wait until there is an overarching keyword."],subsumed:["adds nothing","Other keywords retrieve \
everything it retrieves: deleting it changes nothing."],single_point_of_failure:[`only this finds ${count(row.core_unique??
0)} core`,`${alone} would be lost without it.`]},raised=new Set([...row.flags??[],...row.waits?["waits"]:[]]);return Object.
entries(known).filter(([id])=>raised.has(id)).map(([id,[words2,help]])=>({id,words:words2,help,warns:WARNING_FLAGS.has(id)}))}
function keywordNumbers(row,list){let share2=row.unique_share,isAside=list==="aside";return{n_alone:count(row.n_alone),core_found:count(
row.core_found),unique:isAside?signedScore(row.if_moved?.specific?.f_beta_change):shareWords(share2),price:signedScore(isAside?
row.if_moved?.general?.f_beta_change:row.without)}}function shareWords(share2){return typeof share2=="number"?percentWords(
share2):"–"}function raisesScore(row,list){let raises=change=>typeof change=="number"&&change>SEEN_BETTER;return list!==
"aside"?{unique:!1,price:raises(row.without)}:{unique:raises(row.if_moved?.specific?.f_beta_change),price:raises(row.if_moved?.
general?.f_beta_change)}}function spokenKeyword(row,list,nCore,beta){if(typeof row.n_alone!="number")return`${row.text},\
 in ${list}`;let parts=[`${row.text}, in ${list}`,countOf(row.n_alone,"publication"),`${count(row.core_found)} of ${count(
nCore)} core`];return typeof row.without=="number"&&parts.push(`without it F${betaIndex(beta)} ${signedScore(row.without)}`),
[...parts,...keywordFlags(row,beta).map(({words:words2})=>words2)].join(", ")}function moveWords(effect,now,beta){if(!effect)
return"";let parts=[];typeof effect.f_beta_change=="number"?parts.push(`F${betaIndex(beta)} ${signedScore(effect.f_beta_change)}`):
typeof effect.f_beta=="number"&&parts.push(`F${betaIndex(beta)} ${significant(effect.f_beta)}`);let more=effect.n_retrieved-
now.n_retrieved;parts.push(`${signedCount(more)} ${Math.abs(more)===1?"publication":"publications"}`);let core=effect.n_found-
now.n_found;return core&&parts.push(`${signedCount(core)} core`),parts.join(" · ")}function lastWords(last,beta){if(!last)
return"";let{n_retrieved:n,n_found:core,f_beta:score}=last,parts=[n?`${countOf(Math.abs(n),"publication")} ${n>0?"more":
"fewer"}`:"as many publications as before",core?`${signedCount(core)} core`:"",typeof score=="number"&&score!==0?`F${betaIndex(
beta)} ${signedScore(score)}`:""],words2=!n&&!core&&!score?"No other change":parts.filter(Boolean).join(", ");return`${last.
message}. ${words2.slice(0,1).toUpperCase()}${words2.slice(1)}.`}function broughtWords(row,nCore,isSplit){if(typeof row.
n_alone!="number")return[];let core=`${count(row.core_found)} of the ${countOf(nCore,"core publication")}${isSplit?" in \
use":""}`,lines=[`In ${countOf(row.n_alone,"publication")}; among them ${core}.`];if(row.n_unique){let ofCore=row.core_unique?
`, ${count(row.core_unique)} of them core`:"";lines.push(`${countOf(row.n_unique,"publication")} ${row.n_unique===1?"dep\
ends":"depend"} on it alone${ofCore}.`)}return typeof row.read_per_core=="number"&&lines.push(`${significant(row.read_per_core)}\
 to read for each core publication.`),lines}var COLUMN_HEADS=[["n_alone","Found","Publications that have it"],["core_found","Core","Core publications in use among t\
hem"],["unique","Only it","Share of its publications that no other keyword retrieves"],["price","Without","Score change \
without it: a minus means that it is useful"]],ASIDE_HEADS=[...COLUMN_HEADS.slice(0,2),["unique","Specific","Score chang\
e with it in Specific"],["price","General","Score change with it in General"]],JOINS=[["OR","or","A general keyword is c\
ombined with any of these"],["AND","and","A general keyword is combined with all of these"]],KeywordList=class{constructor({
id,label:label2,hint},does){this.id=id,this.does=does,this.added="",this.number=make("span",{class:"kw-count"});let title=make(
"h2",{id:`list-${id}`},label2);this.head=make("div",{class:"kw-head"},title,this.number,make("span",{class:"kw-hint"},hint)),
id==="overarching"&&(this.join=new Choice("How overarching keywords are joined",JOINS,joined=>does.join(joined)),this.head.
append(this.join.element));let heads=(id==="aside"?ASIDE_HEADS:COLUMN_HEADS).map(([name,words2,help])=>make("span",{class:`\
kw-number ${name}`,title:help},words2));this.columns=make("div",{class:"kw-line kw-columns","aria-hidden":"true"},make("\
span",{}),make("span",{}),...heads),this.rows=make("ul",{class:"kw-rows",role:"list","aria-labelledby":`list-${id}`}),this.
empty=make("p",{class:"kw-empty"}),this.field=make("input",{class:"kw-add",type:"text",placeholder:"Add a keyword","aria\
-label":`Add a keyword to ${label2}`,maxlength:"4000"}),this.#listen();let scroll=make("div",{class:"kw-scroll"},this.columns,
this.rows,this.empty);this.scroll=scroll,this.element=make("section",{class:`kw-list is-${id}`,"data-list":id,"aria-labe\
l":label2},this.head,scroll,this.field)}#listen(){this.field.addEventListener("keydown",event=>{!event.ctrlKey&&!event.metaKey&&
event.stopPropagation(),!(event.key!=="Enter"||!this.field.value.trim())&&(this.added=this.field.value,this.does.add(this.
id,this.field.value),this.field.value="")}),this.field.addEventListener("paste",event=>{let text=event.clipboardData?.getData(
"text")??"";if(!/[\r\n]/.test(text.trim()))return;event.preventDefault();let{selectionStart,selectionEnd}=this.field;this.
field.setRangeText(text.trim().replace(/\s*[\r\n]+\s*/g,"; "),selectionStart??0,selectionEnd??0,"end")})}giveBack(){this.
added&&!this.field.value&&(this.field.value=this.added),this.added=""}update({rows},{joined,hasOver,words:words2}){write(
this.number,rows.length?count(rows.length):""),show(this.columns,rows.length>0),show(this.empty,!rows.length),write(this.
empty,words2),this.element.classList.toggle("waits",this.id==="general"&&rows.length>0&&!hasOver),this.join&&(this.join.
set(joined),this.join.element.style.visibility=rows.length>1?"":"hidden",attribute(this.join.element,"aria-hidden",rows.
length>1?null:"true"))}},NUMBER_CELLS=["n_alone","core_found","unique","price"],KeywordRow=class{constructor(key,does){this.
key=key,this.does=does,this.row=null,this.flagsKey="",this.editing=null,this.words=make("span",{class:"kw-words"}),this.
field=make("span",{class:"kw-field",hidden:""}),this.numbers=new Map(NUMBER_CELLS.map(id=>[id,make("span",{class:`kw-num\
ber ${id}`})])),this.flags=make("span",{class:"kw-flags"}),this.moves=new Map(BOARD_LISTS.map(({id,key:letter,label:label2})=>{
let made=button(letter.toUpperCase(),()=>does.move(key,id),{kind:"kw-act","aria-label":`Move to ${label2}`});return[id,made]})),
this.editButton=button("✎",()=>this.edit(),{kind:"kw-act","aria-label":"Change",title:"Change the wording (Enter)"});let remove=button(
"×",()=>does.remove(key),{kind:"kw-act","aria-label":"Delete",title:"Delete (Delete)"});this.acts=make("span",{class:"k\
w-acts"},...this.moves.values(),this.editButton,remove);let grip=make("span",{class:"kw-grip","aria-hidden":"true"}),what=make(
"span",{class:"kw-what"},this.words,this.field);this.line=make("div",{class:"kw-line"},grip,what,...this.numbers.values()),
this.below=make("div",{class:"kw-below"},this.flags,this.acts),this.element=make("li",{class:"kw",tabindex:"-1","data-ke\
y":key,"data-stay":`kw-${key}`},this.line,this.below)}update(row,list,{now,nCore,beta,marked:marked2}){this.row=row;let{
element}=this;write(this.words,row.text),element.classList.toggle("all-words",!row.phrase&&row.text.includes(" ")),show(
this.field,row.fields?.length>0),write(this.field,(row.fields??[]).join(", "));let[numbers,raises]=[keywordNumbers(row,list),
raisesScore(row,list)];for(let id of NUMBER_CELLS)write(this.numbers.get(id),numbers[id]);for(let id of["unique","price"])
this.numbers.get(id)?.classList.toggle("better",raises[id]);element.classList.toggle("stale",!!row.stale),element.classList.
toggle("marked",marked2),attribute(element,"data-list",list),attribute(element,"aria-label",spokenKeyword(row,listLabel(
list),nCore,beta)),this.#showFlags(row,beta);for(let{id,key,label:label2}of BOARD_LISTS){let made=this.moves.get(id),words2=moveWords(
row.if_moved?.[id],now,beta);show(made,id!==list),attribute(made,"title",`${label2} (${key.toUpperCase()})${words2?`: ${words2}`:
""}`)}}#showFlags(row,beta){let flags=keywordFlags(row,beta).map(({words:words2,help,warns})=>[words2,help,warns?"kw-fla\
g warns":"kw-flag"]);!flags.length&&row.who?.length&&flags.push([row.who[0].by,row.who[0].reason,"kw-by"]);let key=JSON.
stringify(flags);this.flagsKey!==key&&(this.flagsKey=key,this.flags.replaceChildren(...flags.map(([words2,title,kind])=>make(
"span",{class:kind,title},words2))))}activate(isActive){attribute(this.element,"tabindex",isActive?"0":"-1");for(let made of this.
acts.children)attribute(made,"tabindex",isActive?"0":"-1")}edit(){if(this.editing)return;let{row}=this,field=make("input",
{class:"field kw-input",type:"text",value:row.text,"aria-label":`Change ${row.text}`,maxlength:"200"}),box=make("input",
{type:"checkbox"});box.checked=row.phrase;let together=make("label",{class:"kw-phrase",title:"Its words are adjacent, in\
 this order; otherwise all must occur, anywhere"},box,"adjacent"),end=isKept=>{if(this.editing!==form)return;this.editing=
null;let isChanged=field.value.trim()!==row.text||box.checked!==row.phrase;form.remove(),this.element.classList.remove("\
editing"),isKept&&isChanged&&this.does.change(this.key,field.value,box.checked),this.element.focus({preventScroll:!0})},
done=button("Done",()=>end(!0),{kind:"quiet"}),form=make("div",{class:"kw-edit"},field,together,done);form.addEventListener(
"keydown",event=>{event.stopPropagation(),event.key==="Enter"&&end(!0),event.key==="Escape"&&end(!1),(event.key==="Enter"||
event.key==="Escape")&&event.preventDefault()}),form.addEventListener("focusout",event=>{form.contains(event.relatedTarget)||
end(!0)}),this.editing=form,this.element.append(form),this.element.classList.add("editing"),field.focus({preventScroll:!0}),
field.select()}},KeywordCard=class{constructor(does){this.does=does,this.element=make("section",{class:"kw-card","aria-l\
abel":"About the keyword"})}update(lists,key,{now,nCore,beta,isSplit}){let here=key===null?null:placeOf(lists,key);this.
element.classList.toggle("idle",!here),redraw(this.element,JSON.stringify([here,now,nCore,beta]),()=>here?this.#about(here,
{now,nCore,beta,isSplit}):[this.#nothing()])}#nothing(){return make("p",{class:"kw-tip"},"Point at a keyword to see its \
publications, the effect of moving it, and its source.")}#about({row,list},{now,nCore,beta,isSplit}){let flags=keywordFlags(
row,beta).map(({help,warns})=>make("li",{class:warns?"warns":""},help)),facts=make("ul",{class:"kw-facts"},...broughtWords(
row,nCore,isSplit).map(words2=>make("li",{},words2)),...flags),moves=BOARD_LISTS.filter(({id})=>id!==list).map(({id,label:label2})=>{
let words2=moveWords(row.if_moved?.[id],now,beta),press=button(label2,()=>this.does.move(row.key,id),{"data-stay":`card-${id}`});
return make("li",{},press,make("span",{class:"effect"},words2))}),who=(row.who??[]).map(({by,reason})=>make("li",{},make(
"b",{},by),reason?`: ${reason}`:"")),close=button("×",()=>this.does.leave(),{kind:"close kw-close","aria-label":"Close",
"data-stay":"card-close"}),parts=[make("h3",{},row.text,close),facts,make("h4",{},"Move to"),make("ul",{class:"kw-moves"},
...moves)];return who.length&&parts.push(make("h4",{},"Proposed by"),make("ul",{class:"kw-who"},...who)),parts}},HeldBackRows=class{constructor({
take}){this.take=take,this.left=make("div",{class:"board-left",role:"note",hidden:""}),this.summary=make("summary",{}),this.
rows=make("ul",{class:"held-rows"}),this.element=make("details",{class:"board-held"},this.summary,this.rows)}update({held_back:held=[],
left=[],kind,is_whole:isWhole}){let open=held.filter(({taken})=>!taken);show(this.element,held.length>0),this.summary.textContent=
`Held back: ${open.length}`,redraw(this.rows,JSON.stringify(held),()=>held.filter(({taken})=>!taken).map(each=>this.#row(
each))),show(this.left,kind==="version"&&(left.length>0||!isWhole)),redraw(this.left,JSON.stringify([left,isWhole]),()=>[
make("p",{},left.length?`${countOf(left.length,"part")} of the version ${left.length===1?"has":"have"} no place in the l\
ists, so the string here has another meaning:`:"The lists don't express everything in the version, so the string here ha\
s another meaning."),make("ul",{},...left.map(({text,why})=>make("li",{},make("code",{},text),` ${why}`)))])}#row({index,
text,why,by,keyword}){let words2=make("span",{class:"held-text"},text),reason=make("span",{class:"held-why"},`${why} · ${by}${keyword===
null||keyword===text?"":` · can be added as “${keyword}”`}`),acts=keyword===null?[]:[["specific","Specific"],["gene\
ral","General"],["aside","Aside"]].map(([list,label2])=>button(label2,()=>this.take(index,list),{title:`Add “${keyword}\
” to ${label2}`,"aria-label":`Add ${keyword} to ${label2}`,"data-stay":`held-${index}-${list}`}));return make("li",{},
words2,reason,make("span",{class:"held-acts"},...acts))}},FAR_ENOUGH_PX=5,EDGE_OF_LIST_PX=28,SCROLL_PX=9,Dragging=class{constructor(root,{
wordsFor,drop}){this.root=root,this.wordsFor=wordsFor,this.drop=drop,this.held=null,this.line=make("div",{class:"kw-drop",
"aria-hidden":"true"}),this.onDown=event=>this.#down(event),this.onMove=event=>this.#move(event),this.onUp=event=>this.#up(
event),this.onKey=event=>event.key==="Escape"&&this.#end(),root.addEventListener("pointerdown",this.onDown)}destroy(){this.#end(),
this.root.removeEventListener("pointerdown",this.onDown)}#down(event){let row=hit(event,".kw");!row||event.button!==0||hit(
event,"button, input, label, .kw-edit")||event.pointerType==="touch"&&!hit(event,".kw-grip")||(this.held={row,key:row.dataset.
key,x:event.clientX,y:event.clientY,id:event.pointerId,ghost:null},addEventListener("pointermove",this.onMove),addEventListener(
"pointerup",this.onUp),addEventListener("pointercancel",this.onUp),addEventListener("keydown",this.onKey,!0))}#move(event){
let{held}=this;if(!held||event.pointerId!==held.id)return;let far=Math.hypot(event.clientX-held.x,event.clientY-held.y)>
FAR_ENOUGH_PX;!held.ghost&&!far||(event.preventDefault(),held.ghost||this.#lift(held),held.ghost.style.transform=`transl\
ate(${event.clientX+12}px, ${event.clientY+10}px)`,this.#over(event.clientX,event.clientY))}#lift(held){getSelection()?.
removeAllRanges(),held.effect=make("span",{class:"kw-ghost-effect"}),held.ghost=make("div",{class:"kw-ghost"},make("b",{},
held.row.querySelector(".kw-words").textContent),held.effect),this.root.append(held.ghost),held.row.classList.add("lifte\
d"),this.root.classList.add("dragging")}#over(x,y){let{held}=this,list=this.root.getRootNode().elementFromPoint(x,y)?.closest?.(
".kw-list")??null;if(held.list!==list&&(held.list?.classList.remove("over"),list?.classList.add("over"),held.list=list,write(
held.effect,list?this.wordsFor(held.key,list.dataset.list):"")),!list)return this.line.remove();let scroll=list.querySelector(
".kw-scroll"),box=scroll.getBoundingClientRect();y<box.top+EDGE_OF_LIST_PX?scroll.scrollTop-=SCROLL_PX:y>box.bottom-EDGE_OF_LIST_PX&&
(scroll.scrollTop+=SCROLL_PX);let rows=[...list.querySelectorAll(".kw")].filter(row=>row!==held.row);held.place=placeAt(
rows.map(row=>{let{top,height}=row.getBoundingClientRect();return top+height/2}),y);let parent=list.querySelector(".kw-r\
ows"),before=rows[held.place]??null;(this.line.parentElement!==parent||this.line.nextElementSibling!==before)&&parent.insertBefore(
this.line,before)}#up(event){let{held}=this;if(!held||event.pointerId!==held.id)return;let{list,place,key,ghost}=held;this.#end(),
event.type==="pointerup"&&ghost&&list&&this.drop(key,list.dataset.list,place)}#end(){let{held}=this;this.held=null,this.
line.remove(),removeEventListener("pointermove",this.onMove),removeEventListener("pointerup",this.onUp),removeEventListener(
"pointercancel",this.onUp),removeEventListener("keydown",this.onKey,!0),held&&(held.ghost?.remove(),held.row.classList.remove(
"lifted"),held.list?.classList.remove("over"),this.root.classList.remove("dragging"))}};var OPERATORS=/\b(AND NOT|AND|OR|NOT)\b/g,BoardString=class{constructor({ask,mark,go}){this.mark=mark,this.go=go,this.text=
"",this.spans=new Map,this.dialect=make("select",{class:"field","aria-label":"Written for","data-stay":"board-dialect"}),
this.dialect.addEventListener("change",()=>ask("dialect",{dialect:this.dialect.value})),this.copy=copyButton("Copy",()=>this.
text,{title:"Copy the search string"});let written=make("label",{class:"labelled"},make("span",{},"Written for"),this.dialect),
head=make("div",{class:"section-head"},make("h2",{},"Search string"),make("span",{class:"bar-group end"},written,this.copy));
this.box=make("div",{class:"board-string",tabindex:"0",role:"textbox","aria-readonly":"true","aria-multiline":"true","ar\
ia-label":"Search string","data-testid":"board-string"}),this.losses=make("p",{class:"note board-losses",hidden:""}),this.
element=make("section",{class:"board-text","aria-label":"Search string"},head,this.box,this.losses),this.#listen()}#listen(){
let keyAt=event=>hit(event,"[data-word]")?.dataset.word??null;this.box.addEventListener("pointerover",event=>this.mark(keyAt(
event))),this.box.addEventListener("pointerleave",()=>this.mark(null)),this.box.addEventListener("click",event=>{let key=keyAt(
event);key!==null&&getSelection()?.isCollapsed!==!1&&this.go(key)})}update({text,spans=[],dialect,dialects=[],losses=[]}){
setOptions(this.dialect,dialects.map(({id,label:label2})=>[id,label2])),this.dialect.value=dialect;let key=JSON.stringify(
[text,spans]);this.drawnFor!==key&&(this.drawnFor=key,this.text=text,this.#draw(text,spans)),show(this.losses,losses.length>
0);let more=losses.length>1?` (and ${losses.length-1} more)`:"";write(this.losses,losses.length?`Changed in translation:\
 ${losses[0].message}${more}`:""),attribute(this.losses,"title",losses.map(({message})=>message).join(`
`)||null)}#draw(text,spans){if(this.spans=new Map,this.box.classList.toggle("empty",!text),!text){this.box.replaceChildren(
"No search string yet: add a keyword to Specific, or one each to General and Overarching.");return}let units=unitsOf(text),
parts=[],done=0;for(let{start,end,list,key}of[...spans].sort((a,b)=>a.start-b.start)){let[from,to]=[units(start),units(end)];
if(from<done)continue;parts.push(...between(text.slice(done,from)));let made=make("span",{class:`in-${list}`,"data-word":key},
text.slice(from,to));this.spans.set(key,made),parts.push(made),done=to}parts.push(...between(text.slice(done))),this.box.
replaceChildren(...parts)}show(key){for(let[name,made]of this.spans)made.classList.toggle("marked",name===key)}};function between(text){
return text.split(OPERATORS).filter(Boolean).map(part=>/^(AND NOT|AND|OR|NOT)$/.test(part)?make("span",{class:"is-operat\
or"},part):part)}var BOARD_CELLS=[["n_retrieved","Publications","Publications of this corpus that the string retrieves."],
["n_found","Core found","Core publications among them. The line is the 95 % interval of their share."],["semantic_precis\
ion","Semantic precision","Share of retrieved publications that are close enough to the core, by cosine."],["f_beta","F",
"Core recall and semantic precision in one number; it falls as the size grows."]],HELD_OUT_HELP="Held out: these were no\
t marked as core while the string was written. Sorting by them makes them less informative.",BoardScores=class{constructor(){
this.cells=Object.fromEntries(BOARD_CELLS.map(([id,label2,help])=>{let cell={...numberCell(label2,help),sides:make("span",
{class:"sides"})};return cell.data.append(cell.sides),[id,cell]})),this.element=make("section",{class:"summary board-sco\
res","aria-label":"What it retrieves"},make("dl",{class:"numbers","data-testid":"board-scores"},...Object.values(this.cells).
map(({element})=>element)))}update({scores,first}){if(!scores)return;let{whole,used,held_out:heldOut}=scores.sides,{cells:cells2}=this;
write(cells2.f_beta.term,`F${betaIndex(scores.beta)}`),write(cells2.n_retrieved.value,count(scores.n_retrieved)),write(cells2.
n_retrieved.of,`of ${count(scores.n_corpus)}`),write(cells2.n_found.value,count(whole.n_found)),write(cells2.n_found.of,
`of ${count(whole.n_core)}`),write(cells2.semantic_precision.value,significant(whole.semantic_precision)),write(cells2.f_beta.
value,significant(whole.f_beta)),this.#changes(cells2,scores.n_retrieved,whole,first),this.#whiskers(cells2,scores,whole);
let sided=told=>used&&heldOut?`in use ${told(used)} · held out ${told(heldOut)}`:"";write(cells2.n_retrieved.sides,share(
scores)),write(cells2.n_found.sides,sided(({n_found:n,n_core:all})=>`${count(n)}/${count(all)}`)),write(cells2.semantic_precision.
sides,sided(({semantic_precision:value})=>significant(value))),write(cells2.f_beta.sides,sided(({f_beta:value})=>significant(
value)));for(let cell of Object.values(cells2))attribute(cell.sides,"title",heldOut?HELD_OUT_HELP:null);let[low,high]=whole.
recall_interval;attribute(cells2.n_found.element,"title",`${cells2.n_found.help} ${significant(whole.recall)}, ${interval(
low,high)}.`);let reason=scores.why_no_region?` ${scores.why_no_region}`:"";for(let id of["semantic_precision","f_beta"])
attribute(cells2[id].element,"title",`${cells2[id].help}${reason}`)}#changes(cells2,n,whole,first){let told=[["n_retriev\
ed",first?.n_retrieved,n,signedCount],["n_found",first?.n_found,whole.n_found,signedCount],["semantic_precision",first?.
semantic_precision,whole.semantic_precision,signedScore],["f_beta",first?.f_beta,whole.f_beta,signedScore]];for(let[id,before,
after,signed]of told)write(cells2[id].change,changeSince(before,after,signed)),attribute(cells2[id].change,"title","Chan\
ge since opening")}#whiskers(cells2,scores,whole){let places={n_retrieved:scores.n_corpus?scores.n_retrieved/scores.n_corpus:
null,n_found:whole.recall,semantic_precision:whole.semantic_precision,f_beta:whole.f_beta};for(let[id,place]of Object.entries(
places))cells2[id].whisker.set(place,id==="n_found"?whole.recall_interval:null)}};function share({n_retrieved:n,n_corpus:all}){
if(!all)return"";let percent=100*n/all;return`${percent>0&&percent<1?"less than 1":Math.round(percent)} % of the corpus`}var QUIET_BOARD_MS=150,BOARD_ARROWS=new Set(["ArrowUp","ArrowDown","ArrowLeft","ArrowRight","Home","End"]),KEYS_HINT="Dr\
ag a keyword, or press S, G, O, X or A on it. Enter changes it, Delete deletes it, Ctrl+Z undoes.",EMPTY_WORDS={specific:"\
Keywords that identify the topic by themselves.",general:"Common keywords: they need an overarching keyword.",overarching:"\
Every general keyword is combined with these.",excluded:"Keywords to exclude.",aside:"Proposals to sort, and keywords th\
at were removed."},WriterBoard=class extends Part{data=null;changes=[];active=null;hovered=null;rows=new Map;addedTo=null;drawn=[];turn=0;quiet=0;waysKey="";constructor(root,store,python,isInPanel=!1){
super(root,store,python),root.classList.add("workbench"),this.asks=new Asks(ask=>{let change=this.changes.find(({turn})=>turn===
ask.turn&&ask.turn!==void 0);change&&(change.seq=ask.seq),python.setStateValue("ask",{...ask,bench:this.data?.bench??null})});
let does={move:(key,to,place)=>this.#move(key,to,place),remove:key=>this.#remove(key),change:(key,text,phrase)=>this.ask(
"edit",{key,text,phrase}),add:(to,text)=>this.#add(to,text),join:joined=>this.ask("join",{joined}),take:(index,to)=>this.
ask("take",{index,to}),leave:()=>this.#activate(null)};this.does=does,this.lists=new Map(BOARD_LISTS.map(list=>[list.id,
new KeywordList(list,does)])),this.string=new BoardString({ask:(kind,more)=>this.ask(kind,more),mark:key=>this.#hover(key),
go:key=>this.#focus(key,!0)}),this.scores=new BoardScores,this.card=new KeywordCard(does),this.held=new HeldBackRows(does),
this.map=isInPanel?null:new CorpusMap(root),this.drag=new Dragging(root,{wordsFor:(key,list)=>this.#effectOf(key,list),drop:(key,list,place)=>this.#move(
key,list,place,!0)}),this.ways=make("select",{class:"field ways","aria-label":"Sort",title:"Keywords to sort: a step of \
this session, or a version split into keywords","data-stay":"ways"}),this.undo=button("Undo",()=>this.ask("undo"),{title:"\
Ctrl+Z"}),this.redo=button("Redo",()=>this.ask("redo"),{title:"Ctrl+Shift+Z"}),this.save=button("Save as version",()=>this.
ask("save"),{kind:"primary"}),this.query=button("Open in the Workbench",()=>this.ask("query"),{title:"Saves the string a\
s a version and opens it there"}),this.savedAs=make("span",{class:"saved-as"}),this.working=make("span",{class:"working"});
let open=make("label",{class:"labelled"},make("span",{},"Sort"),this.ways),bar2=make("div",{class:"bar-line",role:"group",
"aria-label":"Board"},make("div",{class:"bar-group"},open,this.undo,this.redo),make("div",{class:"bar-group end"},this.working,
this.savedAs,this.query,this.save));this.status=make("p",{class:"board-status",role:"status","data-testid":"board-status"}),
this.message=new MessageLine(this.status);let[specific,general,over,excluded,aside]=[...this.lists.values()].map(({element})=>element),
sign=(word,where)=>make("span",{class:`joint ${where}`,"aria-hidden":"true"},word);if(this.grid=make("div",{class:"kw-li\
sts",role:"group","aria-label":"Keywords"},specific,sign("OR","or"),make("div",{class:"kw-group"},general,sign("AND","an\
d"),over),aside,sign("NOT","not"),excluded),this.map){let side=make("aside",{class:"board-side"},make("div",{class:"sect\
ion-head"},make("h2",{},"Landscape")),this.map.element,this.card.element);root.append(bar2,this.string.element,this.scores.
element,this.status,this.message.element,make("div",{class:"board-columns"},make("div",{class:"board-main"},this.grid,this.
held.left,this.held.element),side))}else root.append(this.status,this.message.element,this.held.left,this.grid,this.card.
element);this.#listen(),this.followTheme(()=>this.#look()),this.listen({data:()=>this.#drawMap(),look:()=>this.#look()})}#listen(){
this.ways.addEventListener("change",()=>this.ask("open",{way:this.ways.value})),this.root.addEventListener("keydown",event=>this.#key(
event)),this.grid.addEventListener("focusin",event=>{let key=hit(event,".kw")?.dataset.key;key!==void 0&&this.#activate(
key)}),this.grid.addEventListener("pointerover",event=>this.#hover(hit(event,".kw")?.dataset.key??null)),this.grid.addEventListener(
"pointerleave",()=>this.#hover(null)),this.grid.addEventListener("click",event=>{let row=hit(event,".kw");row&&!hit(event,
"button, input, label")&&row.focus({preventScroll:!0})}),this.grid.addEventListener("dblclick",event=>{let key=hit(event,
".kw-line")?.parentElement?.dataset.key;key!==void 0&&this.rows.get(key)?.edit()})}destroy(){clearTimeout(this.quiet),super.
destroy(),this.drag.destroy(),this.map?.destroy()}#look(){this.#wear(),this.map?.look()}#wear(){attribute(this.root,"dat\
a-theme",isDark(this.root)?"dark":"light"),wearColours(this.root,this.store)}ask(kind,more={}){this.asks.ask(kind,more),
this.#showWork()}#key(event){let pressed2=event.key;if((event.ctrlKey||event.metaKey)&&!event.altKey&&["z","y"].includes(
pressed2.toLowerCase())){if(hit(event,"input")&&event.target.value)return;event.preventDefault(),event.stopPropagation(),
this.ask(pressed2.toLowerCase()==="y"||event.shiftKey?"redo":"undo");return}let row=hit(event,".kw");!row||event.target!==
row||event.ctrlKey||event.metaKey||this.#keyOnRow(row.dataset.key,event)&&(event.preventDefault(),event.stopPropagation())}#keyOnRow(key,{
key:pressed2,altKey}){let lists=this.#now(),to=altKey?null:listOfKey(pressed2);if(to){if(placeOf(lists,key)?.list===to)return!0;
let next=keyAfter(lists,key);this.#move(key,to),this.#focus(next)}else if(altKey&&(pressed2==="ArrowUp"||pressed2==="Arr\
owDown"))this.#shift(lists,key,pressed2==="ArrowUp"?-1:1);else if(BOARD_ARROWS.has(pressed2))this.#focus(nextKey(lists,key,
pressed2));else if(pressed2==="Enter"||pressed2==="F2")this.rows.get(key)?.edit();else if(pressed2==="Delete"||pressed2===
"Backspace")this.#remove(key);else return!1;return!0}#shift(lists,key,step){let{list,at}=placeOf(lists,key)??{list:null,
at:0},place=at+step;!list||place<0||place>=lists.find(({id})=>id===list).rows.length||this.#move(key,list,place,!0)}#move(key,to,place,isFollowed=!1){
let here=placeOf(this.#now(),key);!here||here.list===to&&(place===void 0||place===here.at)||(this.#change({kind:"move",key,
to,place}),isFollowed&&this.#focus(key))}#remove(key){let next=keyAfter(this.#now(),key);this.#change({kind:"delete",key}),
this.#focus(next)}#add(to,text){this.addedTo=to,this.ask("add",{to,text})}#change({kind,...more}){this.turn+=1,this.changes.
push({kind,...more,turn:this.turn,seq:1/0}),this.#drawLists(),this.ask(kind,{...more,place:more.place??null,turn:this.turn})}#now(){
return withChanges(this.data?.lists??[],this.changes)}#effectOf(key,list){let here=placeOf(this.#now(),key);return!here||
here.list===list?"":moveWords(here.row.if_moved?.[list],this.#retrieved(),this.data.scores.beta)||""}#retrieved(){let{scores}=this.
data,side=scores.sides.used??scores.sides.whole;return{n_retrieved:scores.n_retrieved,n_found:side.n_found,n_core:side.n_core}}#hover(key){
this.hovered===key||this.root.classList.contains("dragging")||(this.hovered=key,this.#showMeant())}#activate(key){this.active!==
key&&(this.rows.get(this.active)?.activate(!1),this.active=key,this.rows.get(key)?.activate(!0),this.#showMeant())}#focus(key,isShown=!1){
let element=key===null?null:this.rows.get(key)?.element;if(!element)return;element.focus({preventScroll:!0});let scroll=element.
closest(".kw-scroll"),[box,inside]=[element.getBoundingClientRect(),scroll.getBoundingClientRect()];box.top<inside.top+22?
scroll.scrollTop-=inside.top+22-box.top:box.bottom>inside.bottom&&(scroll.scrollTop+=box.bottom-inside.bottom),isShown&&
element.scrollIntoView({block:"nearest"})}#showMeant(){if(!this.data)return;let key=this.hovered??this.active;this.string.
show(key);let{n_core:nCore,...now}=this.#retrieved(),isSplit=!!this.data.scores.sides.held_out;this.card.update(this.#now(),
this.map?key:this.active,{now,nCore,beta:this.data.scores.beta,isSplit});for(let[name,row]of this.rows)row.element.classList.
toggle("marked",name===this.hovered)}update(data){this.data&&this.data.bench!==data.bench&&(this.asks.reset(),this.changes=
[],this.active=this.hovered=null),this.data=data,this.asks.hear(data.seq),this.changes=this.changes.filter(({seq})=>seq>
data.seq),data.message&&this.addedTo&&this.lists.get(this.addedTo)?.giveBack(),this.asks.isAwaited("add")||(this.addedTo=
null),this.store.useOnly("corpus",data.corpus_id),this.#wear(),attribute(this.root,"data-seq",data.seq),this.#drawBar(data),
this.string.update(data),this.scores.update(data),this.held.update(data),this.#drawLists(),this.#drawMap(),this.#say(data.
message??null),this.#showWork()}#drawBar(data){let key=JSON.stringify(data.ways);if(this.waysKey!==key){this.waysKey=key;
let groups=[...new Set(data.ways.map(({of})=>of))];this.ways.replaceChildren(...groups.map(of=>make("optgroup",{label:of},
...data.ways.filter(way=>way.of===of).map(({id,label:label3})=>make("option",{value:id},label3)))))}this.ways.value=data.
way;let{undo,redo,label:label2}=data.history;enable(this.undo,undo),enable(this.redo,redo),attribute(this.undo,"title",undo&&
label2?`Undo: ${label2} (Ctrl+Z)`:"Ctrl+Z"),enable(this.save,!!data.text&&!data.saved),enable(this.query,!!data.text),write(
this.savedAs,data.saved?`Version ${data.saved}`:"");let words2=lastWords(data.last,data.scores.beta);write(this.status,words2||
KEYS_HINT),this.status.classList.toggle("idle",!words2)}#drawLists(){if(!this.data)return;let lists=this.#now(),active=focusIn(
this.root),held=active?.classList.contains("kw")?active.getAttribute("data-key"):null,before=held===null?null:placeOf(this.
drawn,held);this.drawn=lists;let hasOver=lists.find(({id})=>id==="overarching").rows.length>0,{n_core:nCore,...now}=this.#retrieved(),
gone=new Set(this.rows.keys());for(let list of lists){let part=this.lists.get(list.id);part&&(part.update(list,{joined:this.
data.joined,hasOver,words:EMPTY_WORDS[list.id]}),list.rows.forEach((row,at)=>{gone.delete(row.key);let made=this.#rowFor(
row.key);made.update(row,list.id,{now,nCore,beta:this.data.scores.beta,marked:row.key===this.hovered}),part.rows.children[at]!==
made.element&&part.rows.insertBefore(made.element,part.rows.children[at]??null)}))}for(let key of gone)this.rows.get(key)?.
element.remove(),this.rows.delete(key);this.grid.classList.toggle("waits",!hasOver),this.#keepReachable(lists),held!==null&&
this.#keepFocus(held,before),this.#showMeant()}#keepFocus(key,before){let{rows}=this.drawn.find(({id})=>id===before?.list)??
{rows:[]},instead=rows[Math.min(before?.at??0,rows.length-1)]?.key;(this.rows.get(key)??this.rows.get(instead))?.element.
focus({preventScroll:!0})}#rowFor(key){let row=this.rows.get(key)??new KeywordRow(key,this.does);return this.rows.set(key,
row),row}#keepReachable(lists){if(this.active!==null&&this.rows.has(this.active))return;this.active=null;let first=lists.
find(({rows})=>rows.length)?.rows[0].key;first!==void 0&&attribute(this.#rowFor(first).element,"tabindex","0")}#drawMap(){
this.data&&this.map?.update(this.store.corpus,this.data.retrieved)}#say(message){this.message.say(message&&{...message,text:message.
text.replace(/[^.!?]$/,"$&.")})}#showWork(){clearTimeout(this.quiet);let sign=()=>{this.working.classList.toggle("on",this.
asks.isBusy),write(this.working,this.asks.isBusy?"Counting …":""),this.root.classList.toggle("behind",this.asks.isBusy)};
this.asks.isBusy?this.quiet=setTimeout(sign,QUIET_BOARD_MS):sign()}};var nameOf2=topic=>`queryscape-draft-${topic}`;function readDraft(topic,storage){try{let kept=JSON.parse(storage.getItem(
nameOf2(topic))??"null");return typeof kept?.text=="string"?kept:null}catch{return null}}function keptDraft(topic,bench,benches=null,storage=globalThis.
localStorage){let kept=readDraft(topic,storage),isLeft=benches!==null&&kept!==null&&!benches.includes(kept.bench);return kept?.
bench===bench||isLeft?kept.text:null}function keepDraft(topic,bench,text,storage=globalThis.localStorage){try{text!==null?
storage.setItem(nameOf2(topic),JSON.stringify({bench,text})):readDraft(topic,storage)?.bench===bench&&storage.removeItem(
nameOf2(topic))}catch{}}var TYPED_REST_MS=400,[FEWEST,MOST]=[2,12],LINE_PX=22,FRAME_PX=18,Editor=class{constructor({onEdit,onCaret,onRun}){this.
onEdit=onEdit,this.onCaret=onCaret,this.onRun=onRun,this.read={text:"",spans:[],findings:[]},this.runs=this.keys=[],this.
struck=this.revived=[],this.marked=[],this.painted=new Set,this.sent="",this.timer=this.shown=0,this.mirror=make("div",{
class:"mirror","aria-hidden":"true"}),this.field=make("textarea",{class:"text",spellcheck:"false",autocomplete:"off",autocapitalize:"\
off","aria-label":"Search string","data-testid":"search-string",rows:FEWEST,"aria-describedby":"editor-words",placeholder:'\
Type or paste a search string, for example (asthma* OR wheez*) AND "inhaled steroid*"'}),this.words=make("p",{class:"uns\
een",id:"editor-words"},"Press Ctrl+Enter to run it."),this.end=document.createTextNode(`
 `),this.ink=make("div",{class:"ink"}),this.ink.append(this.end),this.mirror.append(this.ink),this.element=make("div",{class:"\
editor"},this.mirror,this.field,this.words),this.frame=oncePerFrame(()=>this.draw()),this.#listen(),this.observer=new ResizeObserver(
()=>this.fit()),this.observer.observe(this.element)}#listen(){this.field.addEventListener("input",()=>{this.draw(),clearTimeout(
this.timer),this.timer=setTimeout(()=>this.flush(),TYPED_REST_MS)}),this.field.addEventListener("blur",()=>this.flush()),
this.field.addEventListener("scroll",()=>this.mirror.scrollTop=this.field.scrollTop,{passive:!0}),this.field.addEventListener(
"keydown",event=>{event.key!=="Enter"||!(event.ctrlKey||event.metaKey)||(event.preventDefault(),this.flush(),this.onRun())});
for(let name of["keyup","pointerup"])this.field.addEventListener(name,()=>this.tellCaret())}destroy(){clearTimeout(this.
timer),this.frame.stop(),this.observer.disconnect()}get text(){return this.field.value}get isAhead(){return this.text!==
this.sent}flush(){clearTimeout(this.timer),this.isAhead&&(this.sent=this.text,this.onEdit(this.text))}take({text,spans,findings},isNews){
text!==this.read.text&&(this.marked=[]),this.read={text,spans,findings},isNews&&!this.isAhead&&(this.text!==text&&this.#replace(
text),this.sent=text),this.draw()}type(text){this.field.value=text,this.draw(),this.flush()}goOn(text){clearTimeout(this.
timer),this.sent=text,this.isAhead&&(this.timer=setTimeout(()=>this.flush(),TYPED_REST_MS))}reset(text){clearTimeout(this.
timer),this.sent=this.field.value=text}#replace(text){let{selectionStart,selectionEnd}=this.field;this.field.value=text,
this.field.matches(":focus")&&this.field.setSelectionRange(selectionStart,selectionEnd)}strike(struck,revived){this.struck=
struck,this.revived=revived,this.frame.ask()}draw(){let{text}=this,moved=spans=>shiftedSpans(this.read.text,text,spans),
runs=runsOf(text,moved(this.read.spans),moved(this.read.findings),moved(this.struck),moved(this.revived)),keys=runs.map(
run=>`${classOf(run)}
${text.slice(run.start,run.end)}`),{head,tail}=changedBetween(this.keys,keys),nodes=this.ink.children;for(let i=this.keys.
length-tail-1;i>=head;i--)nodes[i].remove();let fresh=runs.slice(head,runs.length-tail).map(run=>{let made=make("span",{
class:classOf(run)});return write(made,text.slice(run.start,run.end)),made});(nodes[head]??this.end).before(...fresh),this.
keys=keys,this.runs=runs,this.paintMark(),this.fit()}#inked(){return Array.from(this.ink.children)}fit(){let lines=Math.
round(this.ink.offsetHeight/LINE_PX)-1,shown=Math.min(Math.max(lines,FEWEST),MOST);this.shown!==shown&&(this.shown=shown,
this.element.style.height=`${shown*LINE_PX+FRAME_PX}px`),this.mirror.scrollTop=this.field.scrollTop}mark(...spans){this.
marked=spans.filter(Boolean),this.paintMark()}paintMark(){let inked=this.#inked(),spans=shiftedSpans(this.read.text,this.
text,this.marked),wanted=new Set(spans.flatMap(span=>inked.slice(...runsWithin(this.runs,span))));for(let element of this.
painted)wanted.has(element)||element.classList.remove("marked");for(let element of wanted)element.classList.add("marked");
this.painted=wanted}select(start,end){let[span]=shiftedSpans(this.read.text,this.text,[{start,end}]);if(!span)return;this.
field.focus(),this.field.setSelectionRange(span.start,span.end);let at=this.runs.findIndex(run=>run.end>span.start),top=this.#inked()[at]?.
offsetTop??0,height=this.field.clientHeight;(top<this.field.scrollTop||top>this.field.scrollTop+height-LINE_PX)&&(this.field.
scrollTop=top-height/2)}tellCaret(){let{selectionStart,selectionEnd}=this.field,whole=selectionStart===selectionEnd&&this.
text===this.read.text;this.onCaret(whole?selectionStart:null)}};var TREE_ROW_PX=32,TREE_HEAD_PX=44,SPARE_ROWS=6,INDENT_PX=13,DEEPEST_INDENT=10,Tree=class{constructor({onSwitch,onMark,onGo,
onList}){this.onSwitch=onSwitch,this.onList=onList,this.onMark=onMark,this.onGo=onGo,this.nodes=this.view=[],this.folded=
new Set,this.parents=this.off=new Set,this.pool=[],this.active=this.version=0,this.most=1,this.blocks=this.nParts=new Map,
this.switched=[],this.current=null,this.hovered=null,this.pointerY=null,this.head=make("div",{class:"tree-head tree-row",
role:"row","aria-rowindex":1},...headCells()),this.space=make("div",{class:"tree-space",role:"presentation"}),this.grid=
make("div",{class:"tree",role:"treegrid",tabindex:0,"aria-label":"Terms of the search string","data-testid":"tree","aria\
-colcount":COLUMNS.length+2,"aria-describedby":"tree-keys"},this.head,this.space),this.keys=make("p",{class:"unseen",id:"\
tree-keys"},"Arrow keys move and fold; Space switches a part off or on; Enter selects it in the search string; L lists i\
ts publications."),this.element=make("div",{class:"tree-frame"},this.grid,this.keys),this.frame=oncePerFrame(()=>this.paint()),
this.#listen(),this.observer=new ResizeObserver(()=>this.frame.ask()),this.observer.observe(this.grid)}#listen(){this.grid.
addEventListener("scroll",()=>this.frame.ask(),{passive:!0}),this.grid.addEventListener("keydown",event=>this.key(event)),
this.grid.addEventListener("click",event=>this.click(event)),this.grid.addEventListener("pointermove",({clientY})=>this.#point(
clientY)),this.grid.addEventListener("pointerleave",()=>this.#point(null)),this.grid.addEventListener("focus",()=>this.#hover(
this.pool.find(line=>line.index===this.active))),this.grid.addEventListener("blur",()=>this.#hover(null))}destroy(){this.
observer.disconnect(),this.frame.stop()}update(nodes,switched){this.nodes=nodes,this.parents=parentsOf(nodes),this.most=
Math.max(1,...nodes.filter(({number})=>!this.parents.has(number)).map(({n_unique:n})=>n??0)),this.blocks=blocksOf(nodes),
this.nParts=new Map;for(let{parent}of nodes)this.nParts.set(parent,(this.nParts.get(parent)??0)+1);this.#switchTo(switched??
switchedOff(nodes)),this.folded=new Set([...this.folded].filter(number=>this.parents.has(number))),this.arrange()}#switchTo(switched){
this.switched=switched,this.off=offWith(this.nodes,switched)}arrange(){this.view=unfolded(this.nodes,this.folded),this.active=
Math.min(this.active,Math.max(this.view.length-1,0)),this.space.style.height=`${this.view.length*TREE_ROW_PX}px`,attribute(
this.grid,"aria-rowcount",this.view.length+1),this.version++,this.frame.ask()}paint(){let height=Math.max(this.grid.clientHeight-
TREE_HEAD_PX,0),n=Math.ceil(height/TREE_ROW_PX)+2*SPARE_ROWS+1;for(;this.pool.length<n;)this.pool.push(this.#line(this.pool.
length));let first=Math.max(0,Math.floor(this.grid.scrollTop/TREE_ROW_PX)-SPARE_ROWS),used=new Set;for(let index=first;index<
Math.min(this.view.length,first+n);index++){let slot=index%this.pool.length;used.add(slot),this.#patch(this.pool[slot],index)}
this.pool.forEach((line2,slot)=>show(line2.element,used.has(slot)));let line=this.pool[this.active%this.pool.length];attribute(
this.grid,"aria-activedescendant",line?.index===this.active?line.element.id:null),this.pointerY!==null&&this.#point(this.
pointerY)}#line(slot){let toggle=switchFor("In use",{tabindex:-1}),fold=make("button",{type:"button",class:"fold",tabindex:-1,
"aria-hidden":"true"}),words2=make("span",{class:"node-words"}),block=make("span",{}),named=make("span",{class:"block"},
make("span",{class:"block-word"},"Block "),block),rest=make("span",{class:"node-rest","aria-hidden":"true"}),flags=make(
"span",{class:"flags"}),what=make("span",{class:"cell what",role:"gridcell"},fold,named,words2,rest,flags),numbers=COLUMNS.
map(({bars})=>{let value=make("span",{}),track=bars?bar(0,"unique"):null;return{cell:make("span",{class:"cell number",role:"\
gridcell"},value,...track?[track]:[]),value,track}}),use=make("span",{class:"cell use",role:"gridcell"},toggle),element=make(
"div",{class:"tree-row line",role:"row",id:`node-${slot}`},use,what,...numbers.map(({cell})=>cell));return this.space.append(
element),{element,toggle,fold,named,block,words:words2,rest,flags,what,numbers,index:-1,version:-1}}#patch(line,index){let node=this.
view[index];if(line.element.classList.toggle("active",index===this.active),line.element.classList.toggle("current",node.
number===this.current),line.index===index&&line.version===this.version)return;Object.assign(line,{index,version:this.version,
node});let{element,toggle,fold,words:words2,what,numbers}=line,parent=this.parents.has(node.number),off=this.off.has(node.
number);element.style.transform=`translateY(${index*TREE_ROW_PX}px)`,attribute(element,"aria-rowindex",index+2),attribute(
element,"aria-level",node.depth+1),attribute(element,"aria-expanded",parent?String(!this.folded.has(node.number)):null),
element.classList.toggle("off",off),element.classList.toggle("group",parent);let wording=nodeWords(node,parent?this.nParts.
get(node.number):0);attribute(toggle,"aria-checked",String(!off)),attribute(toggle,"aria-label",`Use ${wording}`),toggle.
disabled=!!node.untestable&&!off,what.style.paddingLeft=`${Math.min(node.depth,DEEPEST_INDENT)*INDENT_PX}px`,fold.classList.
toggle("none",!parent),write(words2,wording);let block=this.blocks.get(node.number);show(line.named,!!block),write(line.
block,block?String(block):""),write(line.rest,parent?groupWords(node):""),attribute(words2,"class",`node-words kind-${parent?
"group":node.kind.toLowerCase()}`),attribute(what,"title",node.text.length>600?`${node.text.slice(0,600)} …`:node.text),
this.#flag(line,node,off),COLUMNS.forEach((column,at)=>fillCell(column,numbers[at],node,this.most,parent))}#flag(line,node,off){
let named=flagsOf(node),key=[...named,off].join();line.flagKey!==key&&(line.flagKey=key,line.flags.replaceChildren(...[...named,
...off?["off"]:[]].map(flag=>{let[words2,help]=FLAGS[flag];return make("span",{class:`flag ${isWarning(flag)?"warns":""}`,
title:help},words2)})))}#lineOf(event){let element=hit(event,".line");return element?this.pool.find(line=>line.element===
element):null}#point(clientY){if(this.pointerY=clientY,clientY===null)return this.#hover(null);let down=clientY-this.grid.
getBoundingClientRect().top-TREE_HEAD_PX,index=down<0?-1:Math.floor((down+this.grid.scrollTop)/TREE_ROW_PX);return this.#hover(
this.pool.find(line=>line.index===index&&!line.element.hidden))}#hover(line){let node=(line&&this.view[line.index])??null;
this.hovered!==node&&(this.hovered=node,this.onMark(this.hovered))}show(number){if(this.current!==number){if(this.current=
number,number!==null){let hiding=above(this.nodes,number).filter(other=>this.folded.has(other));hiding.forEach(other=>this.
folded.delete(other)),hiding.length&&this.arrange();let index=this.view.findIndex(node=>node.number===number);index>=0&&
this.#reveal(index)}this.frame.ask()}}#reveal(index){let top=index*TREE_ROW_PX,height=this.grid.clientHeight-TREE_HEAD_PX,
{scrollTop}=this.grid;top<scrollTop?this.grid.scrollTop=top:top+TREE_ROW_PX>scrollTop+height&&(this.grid.scrollTop=top+TREE_ROW_PX-
height)}fold(number,folded){folded?this.folded.add(number):this.folded.delete(number),this.arrange()}press(node){if(!node||
node.untestable&&!this.off.has(node.number))return;let switched=pressed(this.nodes,this.switched,node.number);this.onSwitch(
switched)!==!1&&(this.#switchTo(switched),this.version++,this.frame.ask())}click(event){let line=this.#lineOf(event);if(!line)
return;let node=this.view[line.index];this.active=line.index,this.frame.ask(),hit(event,".switch")?this.press(node):hit(
event,".fold")?this.fold(node.number,!this.folded.has(node.number)):hit(event,".lists")?this.#list(node,hit(event,".list\
s")?.dataset.count):this.onGo(node),hit(event,".switch, .fold, .lists")&&this.grid.focus({preventScroll:!0})}key(event){
if(event.altKey||event.metaKey||event.ctrlKey)return;let node=this.view[this.active];if(!node)return;let page=Math.max(1,
Math.floor((this.grid.clientHeight-TREE_HEAD_PX)/TREE_ROW_PX)-1),last=this.view.length-1,steps={ArrowDown:1,ArrowUp:-1,PageDown:page,
PageUp:-page,Home:-last,End:last};if(event.key in steps)this.#move(this.active+steps[event.key]);else if(event.key===" ")
this.press(node);else if(event.key==="Enter")this.onGo(node);else if(event.key.toLowerCase()==="l")this.#list(node,"n_in\
_context");else if(event.key==="ArrowRight"&&this.folded.has(node.number))this.fold(node.number,!1);else if(event.key===
"ArrowLeft")this.#out(node);else return;event.preventDefault()}#list(node,key){!unknown(node)&&node[key]>0&&this.onList(
node,key)}#out(node){this.parents.has(node.number)&&!this.folded.has(node.number)?this.fold(node.number,!0):this.#move(this.
view.findIndex(({number})=>number===node.parent))}#move(index){index<0&&this.active===0||(this.active=Math.min(Math.max(
index,0),this.view.length-1),this.#reveal(this.active),this.paint(),this.#hover(this.pool.find(line=>line.index===this.active)))}},
COLUMNS=[{key:"n_alone",label:"Alone",whole:!0,help:"Publications that it matches on its own."},{key:"n_in_context",label:"\
In context",whole:!0,help:"Retrieved publications that it matches."},{key:"n_unique",label:"Unique",whole:!0,bars:!0,help:"\
Retrieved publications that only it finds."},{key:"core",label:"Core",whole:!0,help:"Core publications that it matches o\
n its own."},{key:"core_unique",label:"Core unique",whole:!0,help:"Core publications that only it finds."},{key:"semanti\
c_precision_unique",label:"Precision unique",help:"Semantic precision of the publications that only it finds."},{key:"re\
ad_per_core",label:"Read per core",help:"Publications to read per core publication, among the retrieved ones that it mat\
ches."},{key:"f_beta_change_if_removed",label:"F2 if removed",signed:!0,help:"Change of F2 if it is removed. Above zero:\
 better without it."}];function headCells(){let head=(name,words2,help)=>make("span",{class:`cell ${name}`,role:"columnh\
eader",title:help},words2);return[head("use","Use","Switch parts off to see the result without them."),head("what","Term\
 or group",null),...COLUMNS.map(({label:label2,help})=>head("number",label2,help))]}var SHORTEST_BAR=.08;function fillCell({
key,label:label2,whole,signed,help},{cell,value,track},node,most,isGroup){let number=unknown(node)?null:node[key],text=signed?
signedScore(number):(whole?count:significant)(number);write(value,text);let lists=!!whole&&number>0;cell.classList.toggle(
"none",text==="–"||number===0),cell.classList.toggle("lists",lists),attribute(cell,"data-count",lists?key:null);let more=`${key===
"n_unique"?keptOut(node):""}${lists?" Click to list them.":""}`;if(attribute(cell,"title",`${label2}: ${text==="–"?"no\
t known":text}. ${help}${more}`),cell.classList.toggle("better",!!signed&&typeof number=="number"&&number>5e-4),!track)return;
let share2=isGroup?0:Math.min(1,(number??0)/most);track.style.setProperty("--share",share2<SHORTEST_BAR?0:share2)}function unknown({
untestable,off,flags=[]}){return untestable||off||flags.includes("not_testable")}function keptOut({n_gained_if_removed:gained}){
return gained>0?` Without it ${count(gained)} more are retrieved.`:""}var FLAGS={zero_hit:["no hits","It matches no publ\
ication here. Check the spelling, or remove it."],subsumed:["covered","Other terms in its group find everything that it \
finds."],harmful:["lowers F2","F2 is higher without it: it costs more than it brings."],narrow:["too narrow","F2 is high\
er without it: it excludes more relevant publications than it saves reading."],single_point_of_failure:["only finder","I\
t is the only term that finds some core publications. Keep it, or add synonyms."],not_testable:["not testable","This cor\
pus can’t test it, so it is ignored here. It stays in the search string."],off:["off","Switched off here. It stays in \
the search string."]},WARNS=new Set(["zero_hit","harmful","narrow"]);function isWarning(flag){return WARNS.has(flag)}function flagsOf({
flags=[],n_gained_if_removed:gained}){return flags.filter(flag=>flag in FLAGS&&flag!=="off").map(flag=>flag==="harmful"&&
gained>0?"narrow":flag)}function blocksOf(nodes){let root=nodes.find(({depth})=>depth===0);return root?.kind!=="AND"?new Map:
new Map(nodes.filter(({parent})=>parent===root.number).map(({number},at)=>[number,at+1]))}function onOneLine(text){return text.
replace(/\s+/g," ").trim()}function groupWords({kind,text}){return kind==="NOT"?onOneLine(text).replace(/^not\s+/i,""):onOneLine(
text)}function parentsOf(nodes){return new Set(nodes.map(({parent})=>parent).filter(parent=>parent!=null))}function unfolded(nodes,folded){
let hidden=new Set;return nodes.filter(({number,parent})=>{let below=hidden.has(parent);return(below||folded.has(number))&&
hidden.add(number),!below})}function above(nodes,number){let byNumber=new Map(nodes.map(node2=>[node2.number,node2])),found=[],
node=byNumber.get(number);for(;node&&byNumber.has(node.parent)&&!found.includes(node.parent);)found.push(node.parent),node=
byNumber.get(node.parent);return found}function switchedOff(nodes){let off=new Set(nodes.filter(node=>node.off).map(node=>node.
number));return nodes.filter(({number,parent})=>off.has(number)&&!off.has(parent)).map(({number})=>number)}function offWith(nodes,switched){
let off=new Set(switched);for(let{number,parent}of nodes)off.has(parent)&&off.add(number);return off}function pressed(nodes,switched,number){
let off=new Set(switched),blocked=above(nodes,number).filter(other=>off.has(other));return blocked.length?blocked.forEach(
other=>off.delete(other)):off.delete(number)||off.add(number),[...off].sort((a,b)=>a-b)}function nodeWords({kind,text},nParts=0){
return nParts?kind==="NOT"?"Not":`${kind==="AND"?"All of":kind==="OR"?"Any of":"Near"} ${nParts}`:onOneLine(text)}var SEVERITY_NAMES={error:"Error",warning:"Warning",hint:"Hint"},LONGEST_PLACE=48,MOST_PREVIEWED=12,Findings=class{constructor({
ask,editor}){this.ask=ask,this.editor=editor,this.unfolded=new Set,this.scrolled=new Map,this.element=make("div",{class:"\
findings"})}update({findings=[],text}){redraw(this.element,JSON.stringify([findings,text]),()=>this.#build(findings,text));
for(let list of this.element.querySelectorAll(".alike-list")){let top=this.scrolled.get(list.getAttribute("data-kind"))??
0;list.scrollTop!==top&&(list.scrollTop=top)}}#build(findings,text){if(!findings.length)return[nothing("No problems foun\
d.")];let rows=alike(findings).map(each=>this.#kind(each,text)),line=make("div",{class:"panel-line"},make("span",{class:"\
weights"},weights(findings))),fixes=findings.filter(({fix})=>fix);return fixes.length&&!fixes.some(({fix})=>fix?.effect)&&
line.append(button("Predict what each fix changes",()=>this.ask("effects"),{"data-stay":"effects"})),[line,make("ul",{class:"\
rows"},...rows)]}#kind(kind,text){let{findings}=kind,[first]=findings,name=make("span",{class:`severity ${first.severity}`},
SEVERITY_NAMES[first.severity]??first.severity);if(findings.length>1)return make("li",{class:"row finding alike"},name,this.#folded(
kind,text));let wording=make("div",{class:"wording"},make("strong",{},first.title),make("p",{},first.message)),row=make(
"li",{class:"row finding"},name,wording,this.#place(first,text),...this.#act(first));return markOnHover(row,first,this.editor),
row}#folded({key,findings,message,more},text){let shown=findings.slice(0,MOST_PREVIEWED).map(finding=>wordsAt(finding,text)).
join("   "),title=make("strong",{},findings[0].title),head=make("summary",{"data-stay":`kind-${key}`},make("span",{class:"\
alike-head"},title,make("span",{class:"tab-number"},`${count(findings.length)}${more?"+":""}`),message?make("span",{class:"\
alike-message"},message):""),make("span",{class:"alike-preview","aria-hidden":"true"},shown)),list=make("ul",{class:"ali\
ke-list","data-kind":key});list.addEventListener("scroll",()=>this.scrolled.set(key,list.scrollTop),{passive:!0});let details=make(
"details",{},head,list),fill=()=>{list.childElementCount||list.append(...findings.map(finding=>this.#one(finding,message,
text)))};return details.open=this.unfolded.has(key),details.open&&fill(),details.addEventListener("toggle",()=>{this.unfolded[details.
open?"add":"delete"](key),details.open&&fill()}),details}#one(finding,message,text){let wording=message?[]:[make("span",
{class:"wording"},finding.message)],row=make("li",{},this.#place(finding,text),...wording,...this.#act(finding));return markOnHover(
row,finding,this.editor),row}#place(finding,text){return placeButton(wordsAt(finding,text),finding,this.editor,{"data-st\
ay":`place-${finding.id}`})}#act({id,fix,other_fixes:others=[]}){if(!fix)return[];let fixes=[fix,...others].map(({label:label2,
effect},at)=>{let press=button(label2,()=>this.ask("fix",{id,fix:at}),{"data-stay":`fix-${id}-${at}`});return make("div",
{class:"fix"},press,make("span",{class:"effect"},effectWords(effect)??""))});return[make("div",{class:"act"},...fixes)]}};
function wordsAt({start,end},text){let words2=onOneLine(text.slice(start,end))||`at character ${start+1}`;return words2.
length>LONGEST_PLACE?`${words2.slice(0,LONGEST_PLACE-1)}…`:words2}var SEVERITY_ORDER={error:0,warning:1,hint:2},FEWEST_ALIKE=3,
GO_ON=" There are more of this kind.";function alike(findings){let sorted=[...findings].sort((a,b)=>SEVERITY_ORDER[a.severity]-
SEVERITY_ORDER[b.severity]||a.start-b.start),kinds=new Map;for(let finding of sorted){let key=`${finding.severity} ${finding.
rule}`;kinds.has(key)||kinds.set(key,[]),kinds.get(key).push(finding)}let found=[...kinds].flatMap(([key,all])=>all.length<
FEWEST_ALIKE?all.map(finding=>({key:`${key} ${finding.start}`,findings:[finding]})):[{key,findings:all}]);return found.sort(
({findings:[a]},{findings:[b]})=>SEVERITY_ORDER[a.severity]-SEVERITY_ORDER[b.severity]||a.start-b.start),found.map(({key,
findings:all})=>{let wording=all.map(({message:message2})=>message2.endsWith(GO_ON)?message2.slice(0,-GO_ON.length):message2),
message=wording.every(each=>each===wording[0])?wording[0]:null;return{key,findings:all,message,more:all.some(({message:whole})=>whole.
endsWith(GO_ON))}})}function weights(findings){let n={error:0,warning:0,hint:0};for(let{severity}of findings)severity in
n&&n[severity]++;return Object.entries(n).filter(([,many])=>many).map(([name,many])=>`${many} ${name}${many===1?"":"s"}`).
join(", ")}var MOST_PLACES=8,Reading=class{constructor(){this.untestable=make("p",{class:"untestable"}),this.element=make("div",{class:"\
version-note","data-testid":"version-note"})}update({summary,version_note:note="",disagrees=[],n_disagreeing:nDisagreeing=0}){
show(this.element,!!note),redraw(this.element,JSON.stringify([note,disagrees]),()=>note?[versionNote(note,disagrees,nDisagreeing)]:
[]);let n=summary?.n_untestable,words2=`${countOf(n,"term")} can’t be tested here and ${n===1?"is":"are"} left out`;write(
this.untestable,n?words2:"")}};function versionNote(note,disagrees,n){if(!disagrees.length)return make("p",{class:"note"},
note);let rows=disagrees.map(({title,publication_id:id,message,is_core:core})=>make("li",{class:"row"},make("div",{class:"\
wording"},make("span",{},title||id),make("p",{class:"effect"},`${core?"Core. ":""}${message}`)))),more=n>disagrees.length?
[make("li",{class:"row"},`and ${count(n-disagrees.length)} more`)]:[];return make("details",{},make("summary",{},note),make(
"ul",{class:"rows"},...rows,...more))}var Ranked=class{constructor(){this.note=make("p",{class:"note"}),this.list=make("\
ol",{class:"ranked-list",tabindex:0,"aria-label":"Ranking","data-testid":"ranked"});let go=button("Go to the cut-off",()=>this.#showCut());
this.element=make("div",{class:"ranked"},make("div",{class:"panel-line"},this.note,go),this.list)}update({ranked}){redraw(
this.note,ranked?.note??"",()=>[ranked?.note??""]),redraw(this.list,JSON.stringify(ranked),()=>this.#build(ranked))}#showCut(){
let line=this.list.querySelector(".cut");line&&(this.list.scrollTop=line.offsetTop-this.list.clientHeight/2),this.list.focus(
{preventScroll:!0})}#build(ranked){if(!ranked?.items.length)return[make("li",{},nothing("Nothing is ranked yet."))];let{
items,cut}=ranked,most=Math.max(...items.map(({score})=>score??0),1e-9),rows=[];return items.forEach(({rank,title,score,
core},at)=>{rank>cut&&(at===0||items[at-1].rank<=cut)&&rows.push(cutLine(cut));let mark=make("span",{class:`mark ${core?
rank<=cut?"core-found":"core-missed":"plain"}`,role:"img"});mark.setAttribute("aria-label",core?"core publication":"publ\
ication");let number=make("span",{class:"rank"},count(rank)),worth=make("span",{class:"score"},bar((score??0)/most,"stre\
ngth"),significant(score));rows.push(make("li",{class:rank>cut?"beyond":""},number,mark,make("span",{class:"ranked-title",
title},title||"No title"),worth))}),items.at(-1).rank<=cut&&rows.push(cutLine(cut)),rows}};function cutLine(cut){return make(
"li",{class:"cut"},make("span",{},`Cut-off after ${count(cut)}: everything above counts as retrieved`))}var Translate=class{constructor({
ask,editor}){this.ask=ask,this.editor=editor,this.chosen={from:{},to:{}},this.element=make("div",{class:"translate"})}update(data,isAwaited){
isAwaited||(this.chosen={from:{},to:{}});let{translations,reading_summary:reading,database,nodes=[]}=data,isWhole=!nodes.
some(({off})=>off);redraw(this.element,JSON.stringify([translations,reading,database,isAwaited,isWhole]),()=>this.#build(
data,isAwaited,isWhole))}#build({translations,reading_summary:reading,database,dialect,dialects=[],text},isAwaited,isWhole){
if(!translations)return[nothing(isAwaited?"Translating …":"Nothing to translate yet.")];if(!translations.length)return[
nothing("Nothing to translate yet.")];let lines=[];if(database){let label2=dialects.find(({id})=>id===dialect)?.label??dialect,
choice=this.#choice("from",dialect,`Written for this database of ${label2}`,database);lines.push(make("label",{class:"la\
belled panel-line"},make("span",{},`Written for ${label2},`),choice))}return reading&&lines.push(make("p",{class:"panel-\
line unread"},reading)),isWhole||lines.push(make("p",{class:"panel-line weights"},"Switched-off parts are included here.")),
[...lines,make("div",{class:"boxes"},...translations.map(each=>this.#box(each,text)))]}#choice(side,dialect,label2,database){
let{chosen,options}=database,list=make("select",{class:"field","aria-label":label2,"data-stay":`database-${side}-${dialect}`});
return setOptions(list,options.map(({id,label:words2})=>[id,words2])),list.value=this.chosen[side][dialect]??chosen,list.
addEventListener("change",()=>{this.chosen[side][dialect]=list.value,this.ask("translate",{from:{...this.chosen.from},to:{
...this.chosen.to}})}),list}#box({dialect,label:label2,database,text:written,losses:all=[],n_unread:unread=0},text){let losses=all.
slice(unread),state=losses.length?countOf(losses.length,"difference"):unread?"read with errors":"exact",choice=database?
[this.#choice("to",dialect,`Database of ${label2}`,database)]:[],head=make("header",{},make("h2",{},label2),...choice,make(
"span",{class:all.length?"losses-state":"exact"},state),copyButton("Copy",()=>written,{"aria-label":`Copy for ${label2}`,
"data-stay":`copy-${dialect}`})),body=make("pre",{tabindex:0,"aria-label":`${label2}, search string`},written),place=({start,
end},at)=>{if(end<=start)return"";let words2=text.slice(start,end).replace(/\s+/g," ").trim(),shown=words2.length>36?`${words2.
slice(0,35)}…`:words2;return placeButton(shown,{start,end},this.editor,{"data-stay":`loss-${dialect}-${at}`})},alike2=new Map;
losses.forEach((loss,at)=>{let key=`${loss.status}: ${loss.message}`;alike2.set(key,[...alike2.get(key)??[],{...loss,at}])});
let items=[...alike2.values()].map(several=>{let[{status,message}]=several,places=several.slice(0,MOST_PLACES).map(loss=>place(
loss,loss.at)),more=several.length>MOST_PLACES?make("span",{},`and ${several.length-MOST_PLACES} more`):"";return make("\
li",{},make("span",{class:"status"},String(status??"").replaceAll("_"," ")),...places,more,make("span",{},message))});return make(
"article",{class:"box"},head,body,...items.length?[make("ul",{class:"losses"},...items)]:[])}},Lines=class{constructor({
editor}){this.editor=editor,this.lines=[],this.copy=copyButton("Copy lines",()=>copiedLines(this.lines),{title:"As numbe\
red lines with their hits"}),this.list=make("div",{}),this.element=make("div",{class:"search-lines"},make("div",{class:"\
panel-line"},this.copy),this.list)}update({lines=[]}){this.lines=lines,redraw(this.list,JSON.stringify(lines),()=>[this.#table(
lines)])}#table(lines){let head=["Line","Search","Hits",""].map(words2=>make("th",{scope:"col"},words2)),rows=lines.map(
({number,text,hits,used,start,end})=>make("tr",{class:used?"":"unused"},make("th",{scope:"row"},String(number)),make("td",
{class:"line-text"},placeButton(text,{start,end},this.editor,{"data-stay":`line-${number}`})),make("td",{class:"number"},
typeof hits=="number"?count(hits):"–"),make("td",{},used?"":make("span",{class:"flag warns",title:"No later line uses \
it, so it changes nothing."},"not used"))));return make("table",{class:"line-table"},make("thead",{},make("tr",{},...head)),
make("tbody",{},...rows))}};var HELP={near_miss:"One part of the search string excludes them, but they nearly match.",fails_block:"At least one part\
 of the search string doesn’t match them.",removed_by_not:"A NOT excludes them.",no_abstract:"Their abstracts are miss\
ing here, so only their titles can match.",not_in_version:"The search string as read here matches them, but the version \
does not contain them.",not_in_corpus:"No wording finds them here."},HOPELESS=new Set(["not_in_version","not_in_corpus"]),
LONGEST_PART=40,MOST_RESCUES=5,MissedCore=class{constructor({ask,editor,open,read}){this.ask=ask,this.editor=editor,this.
show=open,this.read=read,this.unfolded=null,this.waits=!1,this.last={},this.reasons=make("div",{class:"reasons"}),this.found=
make("ul",{class:"rows found-list"}),this.summary=make("summary",{}),this.details=make("details",{},this.summary,this.found),
this.note=make("div",{}),this.element=make("div",{class:"missed-core"},this.note,this.reasons,this.details)}update(data,waits){
this.last=data,this.waits=waits;let{core=[],missed=[],missed_priced:priced}=data,found=core.filter(entry=>entry.found);redraw(
this.note,`${core.length} ${missed.length}`,()=>words(core,missed)),redraw(this.reasons,JSON.stringify([core,missed,priced,
this.unfolded,waits]),()=>this.#build(data)),this.details.hidden=found.length===0;let head=`${countOf(found.length,"core\
 publication")} found`;redraw(this.summary,head,()=>[head]),redraw(this.found,JSON.stringify(found.map(entry=>[entry.publication_id,
entry.sentence])),()=>found.map(foundRow))}unfold(id){let entry=this.last.core?.find(({publication_id:each})=>each===id);
if(!entry)return;this.unfolded=id,this.editor.mark(...entry.failing??[]);let isAsked=!entry.rescues&&!HOPELESS.has(entry.
verdict)&&this.ask("rescues",{publication_id:id})!==!1;this.update(this.last,isAsked);let row=this.reasons.querySelector(
".missed.unfolded"),panel=this.element.closest('[role="tabpanel"]');row&&panel&&scrollWithin(panel,row)}#fold(){this.unfolded=
null,this.editor.mark(null),this.update(this.last,this.waits)}#build({core=[],missed=[],missed_priced:priced}){let known=new Map(
core.map(entry=>[entry.publication_id,entry]));return missed.map(reason=>this.#reason(reason,reason.publication_ids.map(
id=>known.get(id)).filter(Boolean),priced))}#reason({verdict,rescue},entries,priced){let[first]=entries,head=make("h2",{
title:HELP[verdict]},...this.#because(verdict,entries.length,first?.failing??[])),section=make("section",{class:"reason"},
head);return rescue?section.append(this.#best(rescue)):!priced&&!HOPELESS.has(verdict)&&first?.failing?.length&&section.
append(make("p",{class:"effect"},"Looking for an edit …")),section.append(make("ul",{class:"rows"},...entries.map(entry=>this.#row(
entry)))),section}#because(verdict,n,failing){let one=n===1,plain={removed_by_not:one?"1 is removed by NOT":`${count(n)}\
 are removed by NOT`,no_abstract:one?"1 has no abstract here":`${count(n)} have no abstract here`,not_in_version:one?"1 \
is not in the version":`${count(n)} are not in the version`,not_in_corpus:one?"1 is not in the corpus":`${count(n)} are \
not in the corpus`}[verdict];if(!failing.length)return[plain??(one?"1 is missed":`${count(n)} are missed`)];let parts=failing.
flatMap((span,at)=>{let wording=span.text.replace(/\s+/g," "),short=wording.length>LONGEST_PART?`${wording.slice(0,LONGEST_PART-
1)}…`:wording,place=placeButton(short,span,this.editor,{"data-stay":`fails-${verdict}-${at}-${span.start}`});return at?
[at===failing.length-1?" and ":", ",place]:[place]}),fail=`${count(n)} ${one?"fails":"fail"} ${failing.length===1?"only ":
""}`;return[plain?`${plain}: `:fail,...parts]}#best(rescue){let{publication_id:id,index}=rescue,wording=make("div",{class:"\
wording"},make("strong",{},rescue.label),make("span",{class:"effect"},priceWords(rescue))),accept=button("Accept",()=>this.
ask("rescue",{publication_id:id,index}),{"aria-label":`Accept: ${rescue.label}`,"data-stay":`best-${id}`});return make("\
div",{class:"best"},wording,accept)}#row(entry){let{publication_id:id,title}=entry,isUnfolded=this.unfolded===id,press=make(
"button",{type:"button",class:"missed-title","aria-expanded":isUnfolded,"data-stay":`missed-${id}`},make("span",{class:"\
mark core-missed","aria-hidden":"true"}),make("span",{},title||"No title"));press.addEventListener("click",()=>isUnfolded?
this.#fold():(this.show(id),this.unfold(id)));let row=make("li",{class:`missed${isUnfolded?" unfolded":""}`},press);return isUnfolded&&
row.append(this.#why(entry)),row}#why({publication_id:id,verdict,sentence,evidence=[],rescues}){let body=make("div",{class:"\
why"},make("p",{},sentence)),more=evidence.filter(({message})=>!says(sentence,message));return more.length&&body.append(
make("ul",{class:"evidence"},...more.map(({message})=>make("li",{},message)))),rescues?body.append(this.#rescues(id,rescues)):
this.waits?body.append(make("p",{class:"effect"},"Looking for edits …")):HOPELESS.has(verdict)||body.append(button("Ho\
w to rescue it",()=>this.unfold(id),{"data-stay":`how-${id}`})),body.append(button("Read it",()=>this.read(id),{kind:"li\
nk","data-stay":`read-${id}`})),body}#rescues(id,rescues){return rescues.length?make("ol",{class:"rescues","aria-label":"\
Edits that rescue it"},...rescues.slice(0,MOST_RESCUES).map((rescue,index)=>{let accept=button("Accept",()=>this.ask("re\
scue",{publication_id:id,index}),{"aria-label":`Accept: ${rescue.label}`,"data-stay":`rescue-${id}-${index}`}),wording=make(
"div",{class:"wording"},make("span",{},rescue.label),make("span",{class:"effect"},priceWords(rescue)));return make("li",
{},wording,accept)})):make("p",{class:"nothing"},"No small edit finds it without adding too much noise.")}};function words(core,missed){
return core.length?missed.length?[]:[nothing(`All ${count(core.length)} core publications are found.`)]:[nothing("This t\
opic has no core publications to check the search string with.")]}function says(sentence,message){return!!message&&sentence.
toLowerCase().endsWith(message.toLowerCase())}function foundRow({title,sentence=""}){let wording=make("div",{class:"word\
ing"},make("span",{},title||"No title"));return sentence&&sentence!=="Found."&&wording.append(make("p",{},sentence)),make(
"li",{class:"row"},make("span",{class:"mark core-found","aria-hidden":"true"}),wording)}var MISSES="Relevant: core, or close to the core. Missed: not retrieved.",KINDS={word:"word",phrase:"phrase",keyword:"ke\
yword",heading:"subject heading"},Suggestions=class{constructor({ask}){this.ask=ask,this.group=make("select",{class:"fie\
ld","aria-label":"Add to group","data-stay":"group"}),this.group.addEventListener("change",()=>ask("suggest",{group:Number(
this.group.value)})),this.press=button("Suggest terms",()=>ask("suggest",{group:Number(this.group.value)}),{"data-stay":"\
suggest"});let label2=make("label",{class:"labelled"},make("span",{},"Add to"),this.group);this.line=make("div",{class:"\
panel-line"},label2,this.press),this.list=make("div",{}),this.element=make("div",{class:"suggestions"},this.line,this.list)}update({
groups=[],suggestions},isAwaited){this.line.hidden=groups.length===0;let chosen=this.group.value;redraw(this.group,JSON.
stringify(groups),()=>groups.map(({number,label:label2})=>make("option",{value:number},label2)));let wanted=isAwaited?chosen:
String(suggestions?.group??chosen);groups.some(({number})=>String(number)===wanted)&&(this.group.value=wanted),enable(this.
press,!isAwaited);let key=JSON.stringify([suggestions,groups.length===0,isAwaited]);redraw(this.list,key,()=>this.#build(
groups,suggestions,isAwaited)),this.list.classList.toggle("awaited",isAwaited&&!!suggestions)}#build(groups,suggestions,isAwaited){
if(!groups.length)return[nothing("There is no group of alternatives yet. Join two terms with OR to get suggestions.")];if(!suggestions)
return[nothing(isAwaited?"Comparing the words of the core with those of the corpus …":"Words, phrases, keywords and su\
bject headings typical of the core publications that the group misses.")];if(!suggestions.items.length)return[nothing("N\
o term would add core publications to this group.")];let most=Math.max(...suggestions.items.map(({z})=>z??0),1e-9);return[
make("ul",{class:"rows"},...suggestions.items.map((item,at)=>this.#row(item,suggestions.group,most,at)))]}#row(item,group,most,at){
let{text,kind,z,n_target:target,n_corpus:corpus,contexts=[]}=item,strength=bar((z??0)/most,"strength");strength.title=`H\
ow typical: z ${significant(z)}`;let head=make("p",{class:"term-head"},make("strong",{},text),make("span",{class:"kind"},
KINDS[kind]??kind)),where=`in ${count(target)} relevant ${target===1?"publication that is":"publications that are"} miss\
ed, in ${count(corpus)} of the whole corpus`,wording=make("div",{class:"wording"},head,make("p",{class:"effect"},priceWords(
item)),make("p",{class:"effect",title:MISSES},where));contexts.length&&wording.append(make("ul",{class:"contexts"},...contexts.
map(contextLine)));let add=button("Add",()=>this.ask("add",{group,text,of:kind}),{"aria-label":`Add ${kind==="heading"?"\
the heading ":""}${text}`,"data-stay":`add-${at}`});return make("li",{class:"row suggestion"},strength,wording,make("div",
{class:"act"},add))}};function contextLine({before,match,after}){return make("li",{},make("span",{class:"before"},make("\
bdi",{dir:"ltr"},before)),make("mark",{},match),make("span",{class:"after"},after))}var RESHAPES={slim:"Slimmer search s\
tring",widen:"Wider search string"},CEILING_ROOM=2,Reshape=class{constructor({ask}){this.ask=ask,this.floor=make("input",
{type:"range",min:0,max:1,step:.01,value:.95,"aria-label":"Core recall at least"}),this.floorWords=make("output",{}),this.
ceiling=make("input",{class:"field",type:"number",min:1,step:100,inputmode:"numeric","aria-label":"Retrieve at most"}),this.
floor.addEventListener("input",()=>{this.moved=!0,this.#say()}),this.ceiling.addEventListener("input",()=>this.typed=!0),
this.slim=button("Slim down",()=>this.#propose("slim"),{title:"Remove terms while core recall stays at the minimum or ab\
ove"}),this.widen=button("Widen",()=>this.#propose("widen"),{title:"Add terms that find more of the core, up to this num\
ber of publications"});let keep2=make("label",{class:"labelled"},make("span",{},"Core recall at least"),this.floor,this.
floorWords),most=make("label",{class:"labelled"},make("span",{},"Retrieve at most"),this.ceiling);this.line=make("div",{
class:"panel-line"},keep2,this.slim,most,this.widen),this.result=make("div",{}),this.element=make("div",{class:"reshape"},
this.line,this.result),this.#say()}#say(){write(this.floorWords,percentWords(Number(this.floor.value))),this.floor.style.
setProperty("--along",percentAlong(Number(this.floor.value)))}#propose(how){let ceiling=this.ceiling.value?Number(this.ceiling.
value):null;this.ask("reshape",{how,floor:Number(this.floor.value),ceiling})}update({reshape,summary},isAwaited){if(!this.
typed&&summary?.n_retrieved){let room=Math.ceil(CEILING_ROOM*summary.n_retrieved/100)*100;this.ceiling.value=String(Math.
max(100,Math.min(room,summary.n_corpus??room)))}!this.moved&&typeof summary?.recall=="number"&&(this.floor.value=String(
Math.floor(100*summary.recall)/100),this.#say());for(let press of[this.slim,this.widen])enable(press,!isAwaited);redraw(
this.result,JSON.stringify([reshape,isAwaited]),()=>this.#build(reshape,isAwaited)),attribute(this.result,"aria-busy",isAwaited?
"true":null)}#build(reshape,isAwaited){if(isAwaited)return[nothing("Trying terms to remove and to add …")];if(!reshape)
return[nothing("Proposals are fitted on one half of the core publications and checked on the other, unseen half.")];let{
how,removed=[],added=[],added_to:addedTo=[],note}=reshape,title=make("h2",{},RESHAPES[how]??how);if(!removed.length&&!added.
length)return[nothing(note||"Nothing better was found under these conditions.")];let accept=button("Accept",()=>this.ask(
"reshape_accept"),{kind:"primary","data-stay":"accept"}),lists=make("div",{class:"reshape-terms"},termList("Removed",removed,
"del"),addedList(added,addedTo));return[make("div",{class:"panel-line head"},title,accept),lists,figures(reshape),note?make(
"p",{class:"note"},note):""]}};function termList(title,terms,tag){return make("div",{},make("h4",{},`${title} (${count(terms.
length)})`),chips(terms,tag))}function chips(terms,tag){return make("ul",{class:"term-chips"},...terms.map(text=>make("l\
i",{},make(tag,{},text))))}function addedList(added,groups){let list=make("div",{},make("h4",{},`Added (${count(added.length)}\
)`));for(let group of new Set(groups))list.append(make("p",{class:"added-to",title:group},`to ${group}`),chips(added.filter(
(_,at)=>groups[at]===group),"ins"));return list}function figures({before,after,searched,held_out:heldOut}){let head=["",
"Retrieved","Core recall","F2"].map(each=>make("th",{scope:each?"col":null,colspan:each?2:null},each)),lines=[["Now",before,
null],["After, all core publications",after,before],["After, seen half",searched,wasOf(searched)],["After, unseen half",
heldOut,wasOf(heldOut)]].filter(([,values])=>values).map(([name,values,was])=>make("tr",{},make("th",{scope:"row"},name),
...cells(values.n_retrieved,was?.n_retrieved,count,signedCount),...cells(values.recall,was?.recall,significant,signedScore),
...cells(values.f_beta,was?.f_beta,significant,signedScore)));return make("table",{class:"figures-table"},make("thead",{},
make("tr",{},...head)),make("tbody",{},...lines))}function wasOf(half){return half?{recall:half.recall_before,f_beta:half.
f_beta_before}:null}function cells(value,was,words2,signed){return[make("td",{},value===void 0?"":words2(value)),make("t\
d",{class:"change"},changeSince(was,value,signed))]}var QUIET_MS=150,KEPT=[["switch","switched"],["dialect","dialect"],["semantics","semantics"]],LISTED=".st-key-publicatio\
ns-of-workbench",DRAFT_IS_BACK={kind:"info",text:"Your unsaved edits are back. Undo returns to the version."},RUN="Save \
the search string as a version and evaluate it (Ctrl+Enter)",TOO_SOON="The text has just changed. Try again in a moment.",
Workbench=class extends Part{data=null;switched=null;dialect=null;semantics=null;translated=null;priced=null;boarded=null;listed=null;ran=[];minded=null;translations;isBack=!1;again=[];isSorting=!1;quiet=0;constructor(root,store,python){
super(root,store,python),this.asks=new Asks(ask2=>python.setStateValue("ask",{...ask2,bench:this.data?.bench??null}));let ask=(kind,more)=>this.
ask(kind,more);this.editor=new Editor({onEdit:text=>this.#edit(text),onCaret:place=>this.#showNode(place),onRun:()=>this.
ask("run")});let tools={ask,editor:this.editor,open:id=>this.#openPublication(id),read:id=>this.#readPublication(id)};this.
bar=new Bar({ask,flush:()=>this.editor.flush(),textOf:()=>this.editor.text}),this.problems=new Problems(how=>this.ask("r\
un",{how})),this.reading=new Reading,this.tree=new Tree({onSwitch:off=>this.ask("switch",{off}),onMark:node=>this.editor.
mark(node),onGo:node=>this.editor.select(node.start,node.end),onList:({number},key)=>this.#list(number,key)}),this.map=new CorpusMap(
root),this.ranked=new Ranked,this.panels={missed:new MissedCore(tools),suggest:new Suggestions(tools),reshape:new Reshape(
tools),findings:new Findings(tools),translate:new Translate(tools),lines:new Lines(tools)},this.boardRoot=make("div",{class:"\
queryscape writer_board"}),this.board=new WriterBoard(this.boardRoot,store,{setStateValue:(_,turn)=>this.#sort(turn),setTriggerValue(){}},
!0),this.busyBar=make("div",{class:"busy-bar",role:"progressbar","aria-label":"Computing"}),this.message=new MessageLine(
this.bar.note),this.publication=make("div",{class:"publication"}),this.tuning=make("div",{}),this.tabs=new Tabs("The sea\
rch string and what it finds",this.#panels(),id=>this.#openTab(id)),this.head=make("section",{class:"queryscape workbenc\
h head","aria-label":"Search string"},this.bar.element,this.busyBar,this.editor.element,this.bar.note,this.message.element,
this.problems.element,this.reading.element),root.append(this.tabs.element),this.#settle(),store.offerPlace("publication",
this.publication),store.offerPlace("tuning",this.tuning),store.anchor("query",this.editor.element),store.anchor("core",this.
panels.missed.reasons),this.followTheme(()=>this.#look()),this.flush=()=>this.editor.flush(),window.addEventListener("pa\
gehide",this.flush),this.run=()=>this.bar.run.click(),this.edit=event=>{event.preventDefault(),this.editor.field.focus()},
document.addEventListener("queryscape-run",this.run),document.addEventListener("queryscape-edit",this.edit),this.listen(
{data:()=>this.#drawMap(),look:()=>this.#look(),focus:()=>this.#takeFocus(),place:()=>this.#settle()})}#panels(){let{panels}=this,
map=make("section",{class:"corpus","aria-label":"The whole topic"},this.map.element);this.lines=make("details",{class:"l\
ines-of-search"},make("summary",{},"Line by line, with hits"),panels.lines.element),this.translations=make("details",{class:"\
translations"},make("summary",{},"In the syntax of other databases"),panels.translate.element),this.translations.addEventListener(
"toggle",()=>this.#translate());let terms=make("div",{class:"terms"},this.reading.untestable,this.tree.element,this.ranked.
element,this.lines,this.translations,map),suggest=make("div",{},panels.findings.element,panels.suggest.element,panels.reshape.
element);return[["missed",panels.missed.element],["terms",terms],["suggest",suggest],["board",make("div",{},this.boardRoot)],
["publication",this.publication],["tune",this.tuning]]}#settle(){let place=this.store.places.get("search-string");place?
this.head.parentNode!==place&&place.replaceChildren(this.head):this.root.prepend(this.head)}#takeFocus(){let{focused,points}=this.
store;if(focused===null)return;let chosen=points?.header.core_list.find(({row})=>row===focused);return chosen&&this.data?.
core?.some(({publication_id:id,found})=>id===chosen.id&&!found)?(this.tabs.open("missed"),this.panels.missed.unfold(chosen.
id)):this.tabs.open("publication")}#openPublication(id){let row=this.store.points?.header.core_list.find(entry=>entry.id===
id)?.row??null;row!==null&&row!==this.store.focused&&this.store.focusOn(row)}#edit(text){this.isBack=!1,this.data&&keepDraft(
this.data.topic,this.data.bench,text),this.ask("edit",{text})}#mindDraft(){let{topic,bench,text,is_edited:isEdited}=this.
data;if(this.minded!==bench){this.minded=bench;let kept=isEdited?null:keptDraft(topic,bench,this.data.benches);kept!==null&&
kept!==text&&(this.editor.type(kept),this.isBack=!0,this.message.say(DRAFT_IS_BACK))}else!this.editor.isAhead&&!this.asks.
isEditing&&keepDraft(topic,bench,isEdited?text:null)}#list(node,key){this.ask("list",{node,count:key})}#readPublication(id){
this.#openPublication(id),this.tabs.open("publication")}#look(){this.#wear(),this.map.look()}#wear(){for(let box of[this.
root,this.head])attribute(box,"data-theme",isDark(this.root)?"dark":"light"),wearColours(box,this.store)}destroy(){clearTimeout(
this.quiet),super.destroy();for(let part of[this.editor,this.tree,this.map,this.board])part.destroy();window.removeEventListener(
"pagehide",this.flush),document.removeEventListener("queryscape-run",this.run),document.removeEventListener("queryscape-\
edit",this.edit),this.head.remove(),this.store.tell("place"),this.store.draft=null,this.store.withdrawPlace("publication",
this.publication),this.store.withdrawPlace("tuning",this.tuning)}ask(kind,more={}){this.isSorting=kind==="sort",this.#keep(
kind,more);let text=kind==="run"?{text:this.editor.text}:{},asked=this.asks.ask(kind,{...more,...text});return asked||this.#refuse(
kind),this.#showWork(),this.#drawAwaited(),asked}#keep(kind,more){kind==="switch"&&(this.switched=more.off),kind==="dial\
ect"&&(this.dialect=more.dialect),kind==="semantics"&&(this.semantics=more.semantics),kind==="run"&&this.ran.push(this.editor.
text),kind==="switch"&&this.data&&this.#strike()}#refuse(kind){kind==="switch"&&(this.switched=null),this.#strike(),this.
message.say({kind:"info",text:TOO_SOON})}update(received){let data=inUnits(received);this.#tellApart(data),this.data=data,
data.listed&&data.listed!==this.listed&&bringIntoSight(LISTED),this.listed=data.listed,this.asks.hear(data.seq);let{asks}=this;
for(let[kind,name]of KEPT)asks.isNews(kind,data.seq)&&(this[name]=null);this.store.useOnly("corpus",data.corpus_id),this.
tabs.element.style.setProperty("--height",`${data.height}px`),this.#wear(),attribute(this.root,"data-seq",data.seq),this.
bar.update(data,this),this.editor.take(data,asks.isNews("edit",data.seq)),this.reading.update(data),this.#tellDraft(),this.#drawMiddle(),
this.#drawMap(),this.#drawPanels(),this.message.say((this.isSorting?null:data.message)??(this.isBack&&data.is_edited?DRAFT_IS_BACK:
null)),this.problems.update(data.problems),this.#mindDraft();for(let{kind,...more}of this.again.splice(0))this.ask(kind,
more);this.#showWork()}#tellDraft(){let{summary,before,is_edited:isEdited}=this.data,errors=(this.data.findings??[]).filter(
({severity})=>severity==="error").length;this.store.draft=isEdited&&summary&&before?{summary,before,n_errors:errors,list:key=>this.#list(
null,key)}:null,this.store.tell("draft")}#tellApart(data){let before=this.data;if(!before||before.bench===data.bench&&before.
topic===data.topic&&data.seq>=before.seq)return;this.minded=null;let isRun=this.ran.includes(data.text),left=this.asks.reset();
this.again=left.filter(({kind,text})=>kind==="run"?before.bench===data.bench||isRun&&text!==data.text:kind==="rescue"&&isRun),
isRun?(this.editor.goOn(data.text),keepDraft(before.topic,before.bench,null)):this.editor.reset(data.text),this.ran=[],this.
switched=this.dialect=this.semantics=this.translated=this.boarded=null}#drawMiddle(){let{data}=this,question=data.kind===
"question";show(this.tree.element,!question),show(this.ranked.element,question),attribute(this.root,"data-kind",data.kind),
this.tree.element.classList.toggle("empty",data.kind==="empty"),question&&this.ranked.update(data),this.tree.update(data.
nodes??[],this.switched),this.#strike()}#drawMap(){this.data&&this.map.update(this.store.corpus,this.data.retrieved)}#drawPanels(){
let{data,asks,panels,tabs}=this,isWhole=data.kind==="boolean",missed=(data.core??[]).filter(({found})=>!found).length;tabs.
name("missed","Missed",missed),tabs.name("terms",data.kind==="question"?"Ranking":"Terms");let findings=data.findings?.length??
0;tabs.name("suggest","Suggest",findings||null,isWhole||findings>0),show(panels.findings.element,findings>0);for(let panel of[
panels.suggest,panels.reshape])show(panel.element,isWhole);tabs.name("board","Board",null,isWhole),show(this.lines,!!data.
lines?.length),show(this.translations,isWhole),tabs.name("publication","Publication"),tabs.name("tune","Tune"),panels.findings.
update(data),panels.missed.update(data,asks.isAwaited("rescues")),panels.lines.update(data),this.#drawBoard(),this.#drawAwaited(),
this.#openTab(tabs.chosen)}#drawAwaited(){let{data,asks,panels}=this;!data||data.kind!=="boolean"||(panels.suggest.update(
data,asks.isAwaited("suggest")),panels.reshape.update(data,asks.isAwaited("reshape")),panels.translate.update(data,asks.
isAwaited("translate")))}#openTab(id){this.data?.kind==="boolean"&&(id==="terms"&&this.#translate(),id==="missed"&&this.#priceReasons(),
id==="board"&&this.#openBoard())}#openBoard(){let{data}=this;if(data.board){this.boarded=null;return}let wording=this.#wording();
this.boarded===wording||this.asks.isEditing||this.asks.isAwaited("sort")||(this.boarded=wording,this.ask("board"))}#sort(turn){
turn.kind==="undo"||turn.kind==="redo"?this.ask(turn.kind):this.ask("sort",{turn})}#drawBoard(){let{data,asks,board}=this;
if(!data.board)return;let isAwaited=["sort","undo","redo"].some(kind=>asks.isAwaited(kind));board.update({...data.board,
bench:data.bench,seq:isAwaited?0:board.asks.seq,history:data.history,message:this.isSorting?data.message:null})}#wording(){
let{bench,desk,text,dialect,semantics,nodes}=this.data;return JSON.stringify([bench,desk,text,dialect,semantics,switchedOff(
nodes??[])])}#priceReasons(){let{data}=this,wording=this.#wording();!data.missed?.length||data.missed_priced||this.priced===
wording||this.asks.isEditing||(this.priced=wording,this.ask("reasons"))}#translate(){let{data}=this;if(!data||data.kind!==
"boolean"||!this.translations.open)return;let wording=JSON.stringify([data.text,data.dialect,data.semantics,switchedOff(
data.nodes??[])]);data.translations||this.translated===wording||this.asks.isEditing||(this.translated=wording,this.ask("\
translate"))}#strike(){let{data,switched}=this;if(!data?.nodes)return;let now=offWith(data.nodes,switchedOff(data.nodes)),
wanted=switched?offWith(data.nodes,switched):now;this.editor.strike(data.nodes.filter(({number})=>wanted.has(number)&&!now.
has(number)),data.nodes.filter(({number})=>now.has(number)&&!wanted.has(number)))}#showNode(place){let node=place===null||
!this.data?.nodes?null:nodeAt(this.data.nodes,place);this.tree.show(node?.number??null)}#showWork(){let{busy}=this.data??
{};clearTimeout(this.quiet);let sign=()=>{let words2=busy?.title??(this.asks.isBusy?"Counting …":"");this.bar.work(words2),
this.busyBar.classList.toggle("on",!!words2),this.busyBar.classList.toggle("known",typeof busy?.share=="number"),this.busyBar.
style.setProperty("--share",String(busy?.share??0)),attribute(this.busyBar,"aria-valuenow",typeof busy?.share=="number"?
Math.round(100*busy.share):null)};this.asks.isBusy&&!busy?this.quiet=setTimeout(sign,QUIET_MS):sign()}},SEMANTICS=[["lit\
eral","Literal","A word finds that word only: cat does not find cats. Wildcards work."],["stemmed","Stemmed","A word als\
o finds its other forms: cat finds cats. Exact databases don't do this."]],OVER="A live source opens the Sources page fi\
rst, to review what is sent, lost and paid",AUTO_WORDS={empty:"Auto",question:"Auto: plain words"},Bar=class{constructor({
ask,flush,textOf}){this.ask=ask,this.dialect=make("select",{class:"field","aria-label":"Written for","data-stay":"dialec\
t"}),this.dialect.addEventListener("change",()=>ask("dialect",{dialect:this.dialect.value})),this.semantics=make("select",
{class:"field","aria-label":"How words are matched","data-stay":"semantics"}),setOptions(this.semantics,SEMANTICS),this.
semantics.addEventListener("change",()=>ask("semantics",{semantics:this.semantics.value})),this.undo=button("Undo",()=>{
flush(),ask("undo")}),this.redo=button("Redo",()=>ask("redo")),this.run=button("Run",()=>{flush(),ask("run")},{kind:"pri\
mary",title:RUN}),this.copy=copyButton("Copy",textOf,{title:"Copy the search string"}),this.copy.classList.add("copy-str\
ing"),this.working=make("span",{class:"working",role:"status"});let read=make("label",{class:"labelled"},make("span",{},
"Written for"),this.dialect),left=make("div",{class:"bar-group"},read,this.semantics);this.over=make("select",{class:"fi\
eld","aria-label":"Run over",title:OVER}),this.over.addEventListener("change",()=>this.#elsewhere(flush)),this.place=make(
"label",{class:"labelled"},make("span",{},"Run over"),this.over);let right=make("div",{class:"bar-group end"},this.working,
this.undo,this.redo,this.copy,this.place,this.run);this.noteWords=make("span",{}),this.note=make("p",{class:"note"},this.
noteWords),this.element=make("div",{class:"bar-line",role:"group","aria-label":"Search string"},left,right)}update(data,{
dialect,semantics}){this.#options(data,dialect),this.#places(data),this.semantics.value=semantics??data.semantics,attribute(
this.semantics,"title",SEMANTICS.find(([value])=>value===this.semantics.value)?.[2]),write(this.noteWords,data.semantics_note||
"");let{undo,redo,label:label2}=data.history??{};enable(this.undo,!!undo),enable(this.redo,!!redo);for(let step of[this.
undo,this.redo])step.classList.toggle("unneeded",!undo&&!redo);attribute(this.undo,"title",undo&&label2?`Undo: ${label2}`:
null);let canRun=data.kind!=="empty"||!!data.text;enable(this.run,canRun),attribute(this.run,"title",canRun?RUN:"Type a \
search string to run it")}#options({dialects=[],dialect,confidence,chosen,kind},typed){let label2=dialects.find(({id})=>id===
dialect)?.label??dialect??"",sure=typeof confidence=="number"?`, ${percentWords(confidence)} sure`:"",options=[["auto",chosen===
"auto"&&label2&&AUTO_WORDS[kind]===void 0?`Auto: ${label2}${sure}`:AUTO_WORDS[kind]??"Auto"],...dialects.map(each=>[each.
id,each.label])];setOptions(this.dialect,options),this.dialect.value=typed??chosen??"auto"}#places({live_sources:sources=[]}){
show(this.place,sources.length>0),setOptions(this.over,[["","this topic"],...sources.map(({id,label:label2})=>[id,`${label2}\
 …`])])}#elsewhere(flush){let source=this.over.value;this.over.value="",source&&(flush(),this.ask("live",{source}))}work(words2){
this.working.classList.toggle("on",!!words2),write(this.working,words2??"")}},Problems=class{constructor(run){this.words=
make("span",{}),this.preview=make("code",{}),this.fixed=make("p",{class:"fixed"},"Fixed: ",this.preview),this.fix=button(
"Fix and run",()=>run("fix"),{kind:"primary"}),this.asIs=button("Run as is",()=>run("as_is")),this.element=make("div",{class:"\
message error problems",role:"alert",hidden:""},this.words,this.fix,this.asIs,this.fixed)}update(problems){if(show(this.
element,!!problems),!problems)return;let{n,n_fixable:fixable,messages,fixed,waits}=problems;write(this.words,`${countOf(
n,"problem")}: ${messages.join(" ")}`),write(this.preview,fixed??""),show(this.fixed,fixed!==null),show(this.fix,fixable>
0),show(this.asIs,waits),attribute(this.fix,"title",fixable<n?`${countOf(fixable,"problem")} can be fixed automatically.`:
null)}};var POINT_DIGITS=4,LOG_DIGITS=3,LOG_STEPS2=100;function pointsIn(text){return text?text.split(";").map(pair=>pair.split(
",").map(Number)):null}function pointsText(points){return points.map(pair=>pair.map(each=>String(Number(each.toPrecision(
POINT_DIGITS)))).join(",")).join(";")}function firstValues(controls){return Object.fromEntries(controls.map(({name,value})=>[
name,value]))}function movedValues(values,controls,name,value){let next={...values,[name]:value};return controls.find(control=>control.
name===name)?.resets_points&&delete next.points,next}function sliderWords({step,scale},value){if(scale==="log")return significant(
value);let decimals=decimalsOf(step);return decimals?value.toFixed(Math.min(decimals,6)).replace("-","−"):count(value)}
function decimalsOf(step){return Math.max(0,Math.ceil(-Math.log10(step)-1e-9))}function snapped({min,max,step,scale},number){
let inside=Math.min(Math.max(number,min),max);if(scale==="log")return Math.min(Math.max(Number(inside.toPrecision(LOG_DIGITS)),
min),max);let steps=Math.round((inside-min)/step);return Math.min(Number((min+steps*step).toFixed(decimalsOf(step)+2)),max)}
var KEYS2={ArrowRight:1,ArrowUp:1,ArrowLeft:-1,ArrowDown:-1,PageUp:10,PageDown:-10},FAST_STEPS=5;function valueAfterKey(control,value,{
key,shiftKey=!1}){if(key==="Home")return control.min;if(key==="End")return control.max;if(!KEYS2[key])return null;let steps=KEYS2[key]*
(shiftKey?FAST_STEPS:1);return control.scale==="log"?snapped(control,value*(control.max/control.min)**(steps/LOG_STEPS2)):
snapped(control,value+steps*control.step)}function linkOf(controls,values){let first=firstValues(controls),kept=Object.entries(
values).filter(([name,value])=>value!==first[name]&&value!==void 0&&value!=="");return Object.fromEntries(kept.map(([name,
value])=>[name,String(value)]))}function areSame(some,others){let text=values=>JSON.stringify(Object.entries(values).sort(
([a],[b])=>a<b?-1:1));return text(some)===text(others)}var PRESENT="present";function labAddress(href,{lab,controls,prefix,
presents=!1},values){let address=new URL(href);for(let name of[...address.searchParams.keys()])name.startsWith(prefix)&&
address.searchParams.delete(name);address.searchParams.set("lab",lab);for(let[name,value]of Object.entries(linkOf(controls,
values)))address.searchParams.set(prefix+name,value);return presents?address.searchParams.set(PRESENT,"1"):address.searchParams.
delete(PRESENT),address.href}function wantedIn(href,prefix){let{searchParams}=new URL(href),held=[...searchParams].filter(
([name])=>name.startsWith(prefix)),sent=Object.fromEntries(held.map(([name,value])=>[name.slice(prefix.length),value]));
return{lab:searchParams.get("lab"),sent,presents:searchParams.get(PRESENT)==="1"}}function axisScale(axis,from,to){let log=axis.scale==="log"&&axis.min>0,turn=log?Math.log:value=>value,low=turn(axis.min),
span=turn(axis.max)-low||1;return{log,from,to,at:value=>log&&!(value>0)?NaN:from+(turn(value)-low)/span*(to-from),value(px2){
let turned=low+(px2-from)/(to-from||1)*span;return Math.min(Math.max(log?Math.exp(turned):turned,axis.min),axis.max)}}}function axisTicks(axis,room,way){
let letters=Math.max(...[axis.min,axis.max].map(end=>tickText(end,axis.digits).length)),each=way==="y"?36:Math.max(34,22+
7*letters),most=Math.max(2,Math.floor(room/each));if(axis.names?.length)return axis.names.map((text,at)=>({at,text}));if(axis.
scale==="log"&&axis.min>0)return logTicks(axis,most);if(axis.digits===0&&(axis.max-axis.min)*(7*letters+11)<=room)return linearTicks(
axis.min,axis.max,1,0);let step=Math.max(roundStep((axis.max-axis.min)/most),10**-axis.digits);return linearTicks(axis.min,
axis.max,step,axis.digits)}function roundStep(least){if(!(least>0)||!Number.isFinite(least))return 1;let power=10**Math.
floor(Math.log10(least));return[1,2,5,10].map(times=>times*power).find(step=>step>=least*(1-1e-9))??10*power}function linearTicks(min,max,step,digits){
let shown=Math.min(digits,Math.max(0,-Math.floor(Math.log10(step)+1e-9))),ticks=[];for(let i=Math.ceil(min/step-1e-9);i<=
Math.floor(max/step+1e-9)&&ticks.length<60;i++){let at=Number((i*step).toPrecision(12))||0;ticks.push({at,text:tickText(
at,shown)})}return ticks}function logTicks({min,max,digits},most){let first=Math.ceil(Math.log10(min)-1e-9),last=Math.floor(
Math.log10(max)+1e-9),decades=last-first+1,factors=decades*3<=most+1?[1,2,5]:[1],every=Math.max(1,Math.ceil(decades/most)),
ticks=[];for(let power=first-1;power<=last;power+=1)if(!(factors.length===1&&(power-first)%every!==0))for(let factor of factors){
let at=Number((factor*10**power).toPrecision(12));at<min*(1-1e-9)||at>max*(1+1e-9)||ticks.push({at,text:tickText(at,Math.
max(0,Math.min(digits,-power)))})}return ticks.length>=2?ticks:[min,max].map(at=>({at,text:tickText(at,digits)}))}function tickText(value,digits){
let fixed={minimumFractionDigits:digits,maximumFractionDigits:digits};return value.toLocaleString("en-US",fixed).replace(
/^-/,"−").replace(/^−(0(\.0+)?)$/,"$1")}function px(number){return String(Math.round(number*10)/10)}function linePath(places){
let path="",pen="M";for(let[x,y]of places){if(!Number.isFinite(x)||!Number.isFinite(y)){pen="M";continue}path+=`${pen}${px(
x)} ${px(y)}`,pen="L"}return path}function areaPath(places,floor){let path="",piece=[];for(let place of[...places,[NaN,NaN]]){
if(place.every(Number.isFinite)){piece.push(place);continue}piece.length>1&&(path+=`M${px(piece[0][0])} ${px(floor)}${linePath(
piece).replace("M","L")}L${px(piece.at(-1)[0])} ${px(floor)}Z`),piece=[]}return path}function closedPath(places){let corners=places.
filter(place=>place.every(Number.isFinite));return corners.length<3?"":`${linePath(corners)}Z`}function dotsPath(places,radius){
let r=px(radius),back=px(-2*radius),there=px(2*radius);return seen(places).map(([x,y])=>`M${px(x-radius)} ${px(y)}a${r} ${r}\
 0 1 0 ${there} 0a${r} ${r} 0 1 0 ${back} 0`).join("")}function crossesPath(places,radius){let reach=radius*.8,stroke=(x,y,way)=>`\
M${px(x-reach)} ${px(y-way*reach)}L${px(x+reach)} ${px(y+way*reach)}`;return seen(places).map(([x,y])=>stroke(x,y,1)+stroke(
x,y,-1)).join("")}function seen(places){return places.filter(place=>place.every(Number.isFinite))}var LABEL_HIGH=14,LABEL_AWAY=4,
MARK_ROOM=8,MEETING=100;function wrapped(text,width,size,most,measure){let lines=[],line="";for(let word of text.split(/\s+/)){
let longer=line?`${line} ${word}`:word;if(!line||measure(longer,size)<=width){line=longer;continue}lines.push(line),line=
word}return lines.push(line),lines.length>most&&lines.splice(most-1,lines.length,lines.slice(most-1).join(" ")),lines.map(
each=>trimmed(each,width,size,measure))}function trimmed(text,width,size,measure){if(measure(text,size)<=width)return text;
let[low,high]=[0,text.length];for(;low<high;){let middle=low+high+1>>1;measure(`${text.slice(0,middle).trimEnd()}…`,size)<=
width?low=middle:high=middle-1}return low?`${text.slice(0,low).trimEnd()}…`:"…"}function placeMarkLabels(marks,frame){
let taken=[];return marks.map(mark=>{let places=mark.axis==="x"?besideVertical(mark,frame):besideHorizontal(mark,frame),
others=marks.filter(other=>other!==mark),cost=({box})=>{let met=taken.filter(other=>boxesMeet(withRoom(box),other)).length;
return MEETING*met+others.filter(other=>isCrossed(box,other)).length},inside=places.filter(({box})=>isInFrame(box,frame)),
best=cheapest(inside.length?inside:places.slice(0,1),cost);return taken.push(best.box),{x:best.x,y:best.y,anchor:best.anchor}})}
function cheapest(places,cost){let costs=places.map(cost);return places[costs.indexOf(Math.min(...costs))]}function withRoom(box){
return{...box,left:box.left-MARK_ROOM,right:box.right+MARK_ROOM}}function isCrossed(box,{axis,px:px2}){let[from,to]=axis===
"x"?[box.left,box.right]:[box.top,box.bottom];return px2>from&&px2<to}function besideVertical({px:at,width},frame){let places=[];
for(let top=frame.top+2;top+LABEL_HIGH<=frame.bottom;top+=LABEL_HIGH)places.push(labelPlace(at+LABEL_AWAY,top,width,"sta\
rt"),labelPlace(at-LABEL_AWAY,top,width,"end"));return places.length?places:[labelPlace(at+LABEL_AWAY,frame.top,width,"s\
tart")]}function besideHorizontal({px:at,width},frame){let tops=[at-LABEL_HIGH-1,at+2],right=tops.map(top=>labelPlace(frame.
right-2,top,width,"end")),left=tops.map(top=>labelPlace(frame.left+2,top,width,"start")),middle=tops.map(top=>labelPlace(
(frame.left+frame.right-width)/2,top,width,"start"));return[...right,...left,...middle]}function labelPlace(x,top,width,anchor){
let left=anchor==="start"?x:x-width;return{x,y:top+LABEL_HIGH-3,anchor,box:{left,right:left+width,top,bottom:top+LABEL_HIGH}}}
function isInFrame(box,frame){return box.left>=frame.left&&box.right<=frame.right&&box.top>=frame.top-1&&box.bottom<=frame.
bottom+1}function boxesMeet(a,b){return a.left<b.right&&b.left<a.right&&a.top<b.bottom&&b.top<a.bottom}var NARROWEST_CHART=250,
NARROWEST_PRESENTED=200,LEAST_SHARE=.55,MOST_SHARE=1.35,MOST_SHARE_PRESENTED=1.6;function columnsOf(charts,room,gap,presents=!1){
let narrow=charts.filter(({wide})=>!wide).length,narrowest=presents?NARROWEST_PRESENTED:NARROWEST_CHART,fitting=Math.floor(
(room+gap)/(narrowest+gap));return Math.max(1,Math.min(narrow,narrow===4?2:3,fitting))}function fittedShare(share2,tall,height,room,presents){
let around=height-tall*share2,wanted=tall>0?(room-around)/tall:share2;return Math.min(Math.max(wanted,LEAST_SHARE),presents?
MOST_SHARE_PRESENTED:MOST_SHARE)}var TITLE_SIZE=13,TITLE_LINE=17,SMALL_SIZE=11,LEGEND_LINE=18,HEAD_GAP=6,MOST_TITLE_ROWS=3,SLANT=40,LONGEST_SLANTED=110,RAMP_WIDE=96,
HIT_RADIUS=14,HANDLE_REACH=12,KNOB_RADIUS=6,FILLED_OPACITY=.14,AREA_OPACITY=.22;function drawingOf(whole,look){let chart=look.
isExpert===!1?{...whole,series:whole.series.filter(({expert})=>!expert)}:whole,head=headRows(chart,look),frame=frameOf(chart,
look,head.height),scales={x:axisScale(chart.x,frame.left,frame.right),y:axisScale(chart.y,frame.bottom,frame.top)},sheet2={
chart,look,frame,scales,nodes:[],grips:[],handles:[],targets:[]};sheet2.nodes.push(clipNode(sheet2),...head.nodes),drawAxes(
sheet2),chart.cells&&drawCells(sheet2);for(let[n,shape]of chart.shapes.entries())drawShape(sheet2,shape,n);drawBars(sheet2);
for(let[n,series]of chart.series.entries())drawSeries(sheet2,series,n);return drawMarks(sheet2),drawHandles(sheet2),drawGrips(
sheet2),{...sheet2,width:look.width,height:frame.bottom+frame.below,titleRows:head.titleRows}}function headRows(chart,look){
let lines=wrapped(chart.title,look.width-4,TITLE_SIZE*1.03,MOST_TITLE_ROWS,look.measure),titleRows=Math.max(lines.length,
look.titleRows??1),nodes=lines.map((text,n)=>textNode(`title-${n}`,0,13+n*TITLE_LINE,text,{"font-size":TITLE_SIZE,"font-\
weight":600,fill:look.colours.text})),y=titleRows*TITLE_LINE+HEAD_GAP,x=0;for(let entry of legendEntries(chart)){let wide=22+
look.measure(entry.label,SMALL_SIZE+1)+14;x>0&&x+wide-14>look.width&&(x=0,y+=LEGEND_LINE),nodes.push(...legendNodes(entry,
x,y+LEGEND_LINE/2,look)),x+=wide}return x>0&&(y+=LEGEND_LINE),chart.cells&&(nodes.push(...rampNodes(chart.cells,y+LEGEND_LINE/
2,look)),y+=LEGEND_LINE+2),{nodes,height:y,titleRows}}function legendEntries({series,shapes,legend}){if(legend===!1)return[];
let entries=[...series.map(each=>({...each,sign:each.kind})),...shapes.map(each=>({...each,sign:"shape"}))],known=new Set;
return entries.filter(({label:label2})=>label2&&!known.has(label2)&&known.add(label2))}function legendNodes(entry,x,y,look){
let{colours}=look,colour=colours[entry.role],key=`legend-${entry.label}`,text=textNode(`${key}-words`,x+22,y+4,entry.label,
{"font-size":SMALL_SIZE+1,fill:colours.text}),places=[[x+9,y]];if(entry.sign==="dots")return[dotsNode(key,places,{...entry,
width:Math.min(entry.width+1,5)},colours),text];let line={stroke:colour,"stroke-width":2,"stroke-dasharray":entry.dash.join(
" ")||null};if(entry.sign==="line")return[pathNode(key,linePath([[x,y],[x+18,y]]),{...line,fill:"none"}),text];let square=closedPath(
[[x+2,y-5],[x+16,y-5],[x+16,y+5],[x+2,y+5]]);return entry.sign==="shape"?[pathNode(key,square,{...line,fill:entry.filled?
colour:"none","fill-opacity":FILLED_OPACITY}),text]:[pathNode(key,square,{fill:colour,"fill-opacity":entry.sign==="area"?
AREA_OPACITY:1}),text]}function rampNodes(cells2,y,look){let{colours,measure}=look,small={"font-size":SMALL_SIZE,fill:colours.
faint},name=trimmed(cells2.label,Math.max(look.width-RAMP_WIDE-150,60),SMALL_SIZE+1,measure),x=measure(name,SMALL_SIZE+1)+
10,[low,high]=[significant(cells2.low),significant(cells2.high)],nodes=[textNode("ramp-name",0,y+4,name,{"font-size":SMALL_SIZE+
1,fill:colours.text})];nodes.push(textNode("ramp-low",x,y+4,low,small)),x+=measure(low,SMALL_SIZE)+5;let steps=24;for(let n=0;n<
steps;n++){let at={x:px(x+n*RAMP_WIDE/steps),y:px(y-5),width:px(RAMP_WIDE/steps+.5),height:10};nodes.push({key:`ramp-${n}`,
tag:"rect",at:{...at,fill:rampColour(look,n/(steps-1))}})}if(x+=RAMP_WIDE+5,nodes.push(textNode("ramp-high",x,y+4,high,small)),
!cells2.values.some(row=>row.some(value=>value===null)))return nodes;x+=measure(high,SMALL_SIZE)+12;let hatched={x:px(x),
y:px(y-5),width:14,height:10,fill:`url(#${look.id}-hatch)`,stroke:colours.border};return[...nodes,{key:"ramp-none",tag:"\
rect",at:hatched},textNode("ramp-none-words",x+19,y+4,"undefined",small)]}function rampColour({ramp},share2){let at=Math.
round(Math.min(Math.max(share2,0),1)*(ramp.length-1));return ramp[at]??ramp[0]}function frameOf(chart,look,headHeight){let{
measure}=look,widest=(axis,room,way)=>Math.max(0,...axisTicks(axis,room,way).map(({text})=>measure(text,SMALL_SIZE))),left=Math.
min(widest(chart.y,chart.height,"y"),look.width*.4)+(chart.y.label?24:8),right=look.width-Math.min(14,look.width/20),slanted=isSlanted(
chart.x,right-left,measure),longest=Math.min(widest(chart.x,right-left,"x"),LONGEST_SLANTED),below=(slanted?longest*Math.
sin(SLANT*Math.PI/180)+14:18)+(chart.x.label?18:2),frame={left,right,top:headHeight+6,bottom:headHeight+chart.height-below,
below,slanted};return chart.square?squared(frame,chart):frame}function squared(frame,{x,y}){let unit=Math.min((frame.right-
frame.left)/(x.max-x.min),(frame.bottom-frame.top)/(y.max-y.min));return{...frame,right:frame.left+unit*(x.max-x.min),bottom:frame.
top+unit*(y.max-y.min)}}function isSlanted(axis,room,measure){let names=axis.names??[];return names.some(name=>measure(name,
SMALL_SIZE)>room/names.length-6)}function clipNode({look,frame}){let{left,top,right,bottom}=frame,rect={x:px(left),y:px(
top),width:px(Math.max(right-left,0)),height:px(Math.max(bottom-top,0))};return{key:"defs",tag:"defs",at:{},children:[{key:"\
clip",tag:"clipPath",at:{id:`${look.id}-clip`},children:[{key:"clip-area",tag:"rect",at:rect}]},{key:"hatch",tag:"patter\
n",at:{id:`${look.id}-hatch`,width:6,height:6,patternUnits:"userSpaceOnUse"},children:[{key:"hatch-paper",tag:"rect",at:{
width:6,height:6,fill:look.colours.panel}},{key:"hatch-line",tag:"path",at:{d:"M-1 1L1 -1M0 6L6 0M5 7L7 5",stroke:look.colours.
faint,"stroke-width":1}}]}]}}function drawAxes({chart,look,frame,scales,nodes}){let{colours,measure}=look,small={"font-s\
ize":SMALL_SIZE,fill:colours.faint},line={stroke:colours.grid,"stroke-width":1,"shape-rendering":"crispEdges",fill:"none"},
ticks={x:axisTicks(chart.x,frame.right-frame.left,"x"),y:axisTicks(chart.y,frame.bottom-frame.top,"y")},grid=way=>(chart[way].
names?.length||chart.cells?[]:ticks[way]).map(({at})=>scales[way].at(at)),lines=[...grid("x").map(x=>linePath([[x,frame.
top],[x,frame.bottom]])),...grid("y").map(y=>linePath([[frame.left,y],[frame.right,y]]))];nodes.push(pathNode("grid",lines.
join(""),line));let corner=linePath([[frame.left,frame.top],[frame.left,frame.bottom],[frame.right,frame.bottom]]);nodes.
push(pathNode("axes",corner,{...line,stroke:colours.border}));for(let[n,{at,text}]of ticks.x.entries()){let x=scales.x.at(
at);if(!frame.slanted){let half=measure(text,SMALL_SIZE)/2+2,inside=Math.max(half,Math.min(x,look.width-half));nodes.push(
textNode(`x-tick-${n}`,inside,frame.bottom+14,text,{...small,"text-anchor":"middle"}));continue}let turn=`rotate(-${SLANT}\
 ${px(x+4)} ${px(frame.bottom+12)})`,words2=trimmed(text,LONGEST_SLANTED,SMALL_SIZE,measure);nodes.push(textNode(`x-tick\
-${n}`,x+4,frame.bottom+12,words2,{...small,"text-anchor":"end",transform:turn}))}let room=frame.left-(chart.y.label?24:
8)+1;for(let[n,{at,text}]of ticks.y.entries()){let words2=trimmed(text,room,SMALL_SIZE,measure);nodes.push(textNode(`y-t\
ick-${n}`,frame.left-6,scales.y.at(at)+4,words2,{...small,"text-anchor":"end"}))}let named={...small,"font-size":SMALL_SIZE+
1,"text-anchor":"middle"},[middleX,middleY]=[(frame.left+frame.right)/2,(frame.top+frame.bottom)/2],bottom=look.bottom??
frame.bottom+(frame.slanted?0:31);if(chart.x.label){let y=frame.slanted?frame.bottom+slantedHeight(ticks.x,measure)+26:bottom;
nodes.push(textNode("x-label",middleX,y,trimmed(chart.x.label,look.width-8,SMALL_SIZE+1,measure),named))}if(chart.y.label){
let words2=trimmed(chart.y.label,frame.bottom-frame.top+30,SMALL_SIZE+1,measure);nodes.push(textNode("y-label",10,middleY,
words2,{...named,transform:`rotate(-90 10 ${px(middleY)})`}))}}function slantedHeight(ticks,measure){return Math.min(Math.
max(0,...ticks.map(({text})=>measure(text,SMALL_SIZE))),LONGEST_SLANTED)*Math.sin(SLANT*Math.PI/180)}function drawCells({
chart,look,frame,nodes,targets}){let{values,low,high,label:label2,at}=chart.cells,rows=values.length,columns=values[0]?.
length??0,[wide,tall]=[(frame.right-frame.left)/columns,(frame.bottom-frame.top)/rows];for(let row=0;row<rows;row++)for(let column=0;column<
columns;column++){let value=values[row][column],[x2,y2]=[frame.left+column*wide,frame.bottom-(row+1)*tall],fill=value===
null?`url(#${look.id}-hatch)`:rampColour(look,(value-low)/(high-low||1)),place={x:px(x2),y:px(y2),width:px(wide+.5),height:px(
tall+.5)};nodes.push({key:`cell-${row}-${column}`,tag:"rect",at:{...place,fill,"shape-rendering":"crispEdges"}});let shown=value===
null?"undefined":significant(value);targets.push({kind:"cell",left:x2,right:x2+wide,top:y2,bottom:y2+tall,lines:[`${label2}\
: ${shown}`],column,row})}if(!at)return;let[x,y]=[frame.left+at[0]*wide,frame.bottom-at[1]*tall],cross=crossesPath([[x,y]],
9);nodes.push(pathNode("at-halo",cross,{stroke:look.colours.background,"stroke-width":6,"stroke-linecap":"round"})),nodes.
push(pathNode("at-cross",cross,{stroke:look.colours.text,"stroke-width":2.5,"stroke-linecap":"round"}))}function drawShape({
look,scales,nodes},shape,n){let corners=shape.x.map((x,i)=>[scales.x.at(x),scales.y.at(shape.y[i])]),colour=look.colours[shape.
role],at={stroke:colour,"stroke-width":2,"stroke-dasharray":shape.dash.join(" ")||null,"clip-path":`url(#${look.id}-clip\
)`},fill=shape.filled?{fill:colour,"fill-opacity":FILLED_OPACITY}:{fill:"none"};nodes.push(pathNode(`shape-${n}`,closedPath(
corners),{...at,...fill,"stroke-linejoin":"round"}))}function drawBars({chart,look,frame,scales,nodes,targets}){let all=chart.
series.filter(({kind})=>kind==="bars"),lying=!!chart.y.names?.length,[along,up]=lying?["y","x"]:["x","y"],base=scales[up].
at(Math.max(chart[up].min,Math.min(0,chart[up].max)))||scales[up].from,distinct=new Set(all.flatMap(series=>series[along])).
size||1,room=chart[along].names?.length?1:barStep(all,along),length=Math.abs(scales[along].at(chart[along].min+room)-scales[along].
at(chart[along].min)),slot=Math.max(1,Math.min(length,(lying?frame.bottom-frame.top:frame.right-frame.left)/distinct)*.8),
rows=chart.bars==="beside"?all.length:1;all.forEach((series,n)=>{let thick=slot/rows,rects=series.x.map((_,i)=>{let from=scales[along].
at(series[along][i])-slot/2+n%rows*thick,to=scales[up].at(series[up][i]);if(!Number.isFinite(from)||!Number.isFinite(to))
return"";let[a,b]=[[from,Math.min(base,to)],[from+Math.max(thick-1,.5),Math.max(base,to)]],box=lying?{left:a[1],right:b[1],
top:a[0],bottom:b[0]}:{left:a[0],right:b[0],top:a[1],bottom:b[1]};return targets.push({kind:"bar",...widenedBar(box,lying,
frame),lines:barWords(chart,series,i,along,up)}),closedPath([[box.left,box.top],[box.right,box.top],[box.right,box.bottom],
[box.left,box.bottom]])}),edge=series.edge?{stroke:look.colours[series.edge],"stroke-width":1.5}:{},fill=series.hollow?{
fill:"none",stroke:look.colours[series.role],"stroke-width":1.5}:{fill:look.colours[series.role]};nodes.push(pathNode(`b\
ars-${n}`,rects.join(""),{...fill,...edge,"clip-path":`url(#${look.id}-clip)`}))})}function widenedBar(box,lying,frame){
return lying?{...box,left:frame.left,right:frame.right}:{...box,top:frame.top,bottom:frame.bottom}}function barStep(all,along){
let values=[...new Set(all.flatMap(series=>series[along]))].sort((a,b)=>a-b),gaps=values.slice(1).map((value,i)=>value-values[i]);
return gaps.length?Math.min(...gaps):1}function barWords(chart,series,i,along,up){return series.hover[i]?series.hover[i].
split(`
`):[axisWords(chart[along],series[along][i]),`${series.label||chart[up].label}: ${axisWords(chart[up],series[up][i])}`]}
function axisWords(axis,value){return axis.names?.[Math.round(value)]??significant(value)}function drawSeries({chart,look,
frame,scales,nodes,targets},series,n){if(series.kind==="bars"||series.draggable)return;let places=series.x.map((x,i)=>[scales.
x.at(x),scales.y.at(series.y[i])]),colour=look.colours[series.role],clip={"clip-path":`url(#${look.id}-clip)`},label2=series.
label||chart.y.label;if(series.kind==="dots"){nodes.push({...dotsNode(`dots-${n}`,places,series,look.colours)}),places.forEach(
([x,y],i)=>targets.push({kind:"dot",x,y,lines:series.hover[i]?.split(`
`)??[series.label,`${axisWords(chart.x,series.x[i])}, ${axisWords(chart.y,series.y[i])}`].filter(Boolean)}));return}if(series.
kind==="area"){let floor=scales.y.at(Math.max(chart.y.min,Math.min(0,chart.y.max))),fill={fill:colour,"fill-opacity":AREA_OPACITY,
...clip};nodes.push(pathNode(`area-${n}`,areaPath(places,Number.isFinite(floor)?floor:frame.bottom),fill))}let dash=series.
dash.join(" ")||null,line={fill:"none",stroke:colour,"stroke-width":series.width,"stroke-dasharray":dash,"stroke-linejoi\
n":"round",...clip};nodes.push(pathNode(`line-${n}`,linePath(places),line)),places.forEach(([x,y],i)=>targets.push({kind:"\
line",n,x,y,colour,head:axisWords(chart.x,series.x[i]),lines:series.hover[i]?.split(`
`)??[`${label2}: ${axisWords(chart.y,series.y[i])}`]}))}function drawMarks({chart,look,frame,scales,nodes,handles}){let{
colours,measure}=look,marks=chart.marks.map(mark=>({...mark,at:look.values?.[mark.control]??mark.at})).map(mark=>({...mark,
px:scales[mark.axis].at(mark.at),width:measure(mark.label,SMALL_SIZE)+2})).filter(({axis,px:at})=>axis==="x"?at>=frame.left-
1&&at<=frame.right+1:at>=frame.top-1&&at<=frame.bottom+1),places=placeMarkLabels(marks,frame);marks.forEach(({axis,px:at,
at:value,label:label2,role,control},n)=>{let slider=look.controls?.get(control);slider&&handles.push({slider,axis,value,
px:at,colour:colours[role]});let ends=axis==="x"?[[at,frame.top],[at,frame.bottom]]:[[frame.left,at],[frame.right,at]];nodes.
push(pathNode(`mark-${n}`,linePath(ends),{stroke:colours[role],"stroke-width":1.5,"stroke-dasharray":"4 3",fill:"none"}));
let{x,y,anchor}=places[n],halo={"paint-order":"stroke",stroke:colours.background,"stroke-width":4,"stroke-linejoin":"rou\
nd"};nodes.push(textNode(`mark-${n}-label`,x,y,label2,{"font-size":SMALL_SIZE,"font-weight":600,fill:colours[role],"text\
-anchor":anchor,...halo}))})}function drawHandles({look,frame,nodes,handles}){for(let{slider,axis,value,px:at,colour}of handles){
let upright=axis==="x",key=`handle-${axis}-${slider.name}`,knob=upright?[at,frame.bottom]:[frame.right,at];nodes.push(pathNode(
`${key}-knob`,dotsPath([knob],KNOB_RADIUS),{fill:colour,stroke:look.colours.background,"stroke-width":2}));let area=upright?
{x:px(at-HANDLE_REACH),y:px(frame.top),width:2*HANDLE_REACH,height:px(frame.bottom-frame.top+KNOB_RADIUS+2)}:{x:px(frame.
left),y:px(at-HANDLE_REACH),width:px(frame.right-frame.left+KNOB_RADIUS+2),height:2*HANDLE_REACH};nodes.push({key,tag:"r\
ect",at:{class:`handle along-${axis}`,...area,rx:4,fill:"transparent",tabindex:0,role:"slider","data-control":slider.name,
"data-axis":axis,"aria-label":`${slider.label}, line in the chart`,"aria-orientation":upright?"horizontal":"vertical","a\
ria-valuemin":slider.min,"aria-valuemax":slider.max,"aria-valuenow":value,"aria-valuetext":sliderWords(slider,value)},children:[
{key:"hint",tag:"title",at:{},text:`Drag to change: ${slider.label}`}]})}}function drawGrips({chart,look,scales,nodes,grips}){
for(let series of chart.series.filter(each=>each.draggable))series.x.forEach((value,i)=>{let number=series.numbers[i]??i,
[vx,vy]=look.moved?.[number]??[value,series.y[i]];grips.push({number,series,name:series.names[i]??`Point ${number+1}`,vx,
vy,x:scales.x.at(vx),y:scales.y.at(vy)})});grips.sort((a,b)=>a.number-b.number);for(let grip of grips){nodes.push(dotsNode(
`grip-${grip.number}-face`,[[grip.x,grip.y]],grip.series,look.colours));let shown=`${significant(grip.vx)}, ${significant(
grip.vy)}`;nodes.push({key:`grip-${grip.number}`,tag:"circle",at:{class:"grip",cx:px(grip.x),cy:px(grip.y),r:HIT_RADIUS,
fill:"transparent",tabindex:0,role:"slider","data-number":grip.number,"aria-label":grip.name,"aria-valuetext":shown,"ari\
a-valuenow":px(grip.vx*100)}})}}function dotsNode(key,places,series,colours){let colour=colours[series.role];if(series.cross)
return pathNode(key,crossesPath(places,series.width),{stroke:colour,"stroke-width":1.6,fill:"none"});if(series.hollow)return pathNode(
key,dotsPath(places,series.width),{stroke:colour,"stroke-width":1.8,fill:"none"});let edge=series.edge?{stroke:colours[series.
edge],"stroke-width":1.8}:{stroke:"none"};return pathNode(key,dotsPath(places,series.width),{fill:colour,...edge})}function pathNode(key,d,at){
return{key,tag:"path",at:{d:d||"M0 0",...at}}}function textNode(key,x,y,text,at){return{key,tag:"text",at:{x:px(x),y:px(
y),...at},text}}var WIDTHS=new Map,MOST_WIDTHS=4e3,KEY_STEPS=50,FAST_STEPS2=5,ARROWS={ArrowLeft:[-1,0],ArrowRight:[1,0],ArrowDown:[0,-1],
ArrowUp:[0,1]},widthContext,ChartView=class{chart;look;drawing;constructor({movedPoint,movedLine}){this.movedPoint=movedPoint,
this.movedLine=movedLine,this.svg=svgElement("svg",{class:"chart-picture"}),this.card=make("div",{class:"chart-card","ar\
ia-hidden":"true",hidden:""}),this.element=make("div",{class:"chart"},this.svg,this.card),this.parts=new Map,this.held=null,
this.heldLine=null,this.svg.addEventListener("pointerdown",event=>this.#grab(event)),this.svg.addEventListener("pointerm\
ove",event=>this.#follow(event));for(let end of["pointerup","pointercancel"])this.svg.addEventListener(end,()=>this.#letGo());
this.svg.addEventListener("pointerleave",()=>show(this.card,!1)),this.svg.addEventListener("keydown",event=>this.#key(event))}draw(chart,look){
let known=this.chart?.id===chart.id&&this.look?.width===look.width;this.chart=chart,this.look={...look,titleRows:known?this.
drawing.titleRows:1},this.drawing=drawingOf(chart,this.look);let{width,height,nodes,grips,handles}=this.drawing,size={width,
height,viewBox:`0 0 ${width} ${height}`,"font-family":look.font},attributes={role:grips.length||handles.length?"group":"\
img","aria-label":chart.title,"aria-description":chart.description||null};for(let[name,value]of Object.entries({...size,
...attributes}))attribute(this.svg,name,value);patchNodes(this.svg,nodes,this.parts)}#place(event){let box=this.svg.getBoundingClientRect(),
zoom=box.width/this.drawing.width||1;return[(event.clientX-box.left)/zoom,(event.clientY-box.top)/zoom]}#grab(event){let grip=hit(
event,".grip, .handle");if(!grip||event.button>0)return this.#read(event);if(event.preventDefault(),grip.focus({preventScroll:!0}),
this.svg.setPointerCapture(event.pointerId),grip.matches(".handle")){let{slider,axis,px:px3,value}=this.#handleOf(grip),
[x2,y2]=this.#place(event);return this.heldLine={slider,axis,away:px3-(axis==="x"?x2:y2),scale:this.drawing.scales[axis],
value},show(this.card,!1)}let number=Number(grip.dataset.number),{x,y}=this.drawing.grips.find(each=>each.number===number),
[px2,py]=this.#place(event);return this.held={number,dx:x-px2,dy:y-py},show(this.card,!1)}#handleOf({dataset}){return this.
drawing.handles.find(({slider,axis})=>slider.name===dataset.control&&axis===dataset.axis)}#drag(event){let{slider,axis,away,
scale,value}=this.heldLine,next=snapped(slider,scale.value(this.#place(event)[axis==="x"?0:1]+away));next!==value&&(this.
heldLine={slider,axis,away,scale,value:next},this.movedLine(slider.name,()=>next,!1))}#follow(event){if(this.heldLine)return this.#drag(
event);if(!this.held)return this.#read(event);let[px2,py]=this.#place(event),{number,dx,dy}=this.held,{x,y}=this.drawing.
scales;return this.movedPoint(number,()=>[x.value(px2+dx),y.value(py+dy)],!1)}#letGo(){if(this.heldLine){let{slider,value}=this.
heldLine;return this.heldLine=null,this.movedLine(slider.name,()=>value,!0)}if(!this.held)return;let{number}=this.held;return this.
held=null,this.movedPoint(number,null,!0)}#key(event){let handle=hit(event,".handle");if(!handle)return this.#moveDot(event);
let{slider,value}=this.#handleOf(handle);if(valueAfterKey(slider,value,event)!==null)return event.preventDefault(),event.
stopPropagation(),this.movedLine(slider.name,before=>valueAfterKey(slider,before,event),!0)}#moveDot(event){let way=ARROWS[event.
key],grip=hit(event,".grip");if(!way||!grip)return;event.preventDefault(),event.stopPropagation();let{frame}=this.drawing,
number=Number(grip.dataset.number),times=event.shiftKey?FAST_STEPS2:1,step=(from,to)=>Math.abs(to-from)/KEY_STEPS*times,
[dx,dy]=[way[0]*step(frame.left,frame.right),-way[1]*step(frame.top,frame.bottom)],{x,y}=this.drawing.scales;this.movedPoint(
number,([vx,vy])=>[x.value(x.at(vx)+dx),y.value(y.at(vy)+dy)],!0)}#read(event){let[px2,py]=this.#place(event),found=readDrawing(
this.drawing,px2,py);if(show(this.card,!!found),!found)return;this.card.replaceChildren(...found.lines.map(line=>make("p",
{},line)));let{width,height}=this.drawing,place=placeCard(found.x,found.y,this.card.offsetWidth,this.card.offsetHeight,width,
height);this.card.style.transform=`translate(${place.x}px, ${place.y}px)`}};function patchNodes(parent,nodes,known){let wanted=new Set(
nodes.map(({key})=>key));for(let[key,part]of known)wanted.has(key)||(part.element.remove(),known.delete(key));let next=parent.
firstChild;for(let node of nodes){let part=known.get(node.key);part||(part={element:svgElement(node.tag),at:{},parts:new Map},
known.set(node.key,part)),patchAttributes(part,node.at),node.text!==void 0&&write(part.element,node.text),node.children&&
patchNodes(part.element,node.children,part.parts),part.element===next?next=next.nextSibling:parent.insertBefore(part.element,
next)}}function patchAttributes(part,at){for(let name of Object.keys(part.at))(at[name]===void 0||at[name]===null)&&part.
element.removeAttribute(name);for(let[name,value]of Object.entries(at))value!=null&&part.at[name]!==value&&part.element.
setAttribute(name,value);part.at=at}function textMeasure(font){return(text,size)=>{let key=`${size}|${text}`,width=WIDTHS.
get(key);return width===void 0&&(widthContext??=contextOf(document.createElement("canvas")),widthContext?(widthContext.font=
`${size}px ${font}`,width=widthContext.measureText(text).width):width=text.length*size*.55,WIDTHS.size>MOST_WIDTHS&&WIDTHS.
clear(),WIDTHS.set(key,width)),width}}var REACH_OF_DOT=18,REACH_OF_LINE=40;function readDrawing({frame,grips,targets},px2,py){
if(!(px2>=frame.left-4&&px2<=frame.right+4&&py>=frame.top-4&&py<=frame.bottom+4))return null;let dots=[...grips.map(grip=>({
...grip,lines:[`${grip.name}${grip.series.label?`: ${grip.series.label}`:""}`,"Drag it, or move it with the arrow keys."]})),
...targets.filter(({kind})=>kind==="dot")],dot=nearestOf(dots,({x,y})=>Math.hypot(x-px2,y-py),REACH_OF_DOT);if(dot)return{
x:dot.x,y:dot.y,lines:dot.lines};let lines=linesAt(targets,px2);if(lines)return lines;let box=targets.filter(({kind})=>kind===
"cell"||kind==="bar").find(({left,right,top,bottom})=>px2>=left&&px2<right&&py>=top&&py<bottom);return box?{x:px2,y:py,lines:box.
lines}:null}function linesAt(targets,px2){let each=new Map;for(let target of targets){if(target.kind!=="line"||!Number.isFinite(
target.x)||!Number.isFinite(target.y))continue;let best=each.get(target.n);(!best||Math.abs(target.x-px2)<Math.abs(best.
x-px2))&&each.set(target.n,target)}let near=[...each.values()].filter(({x:x2})=>Math.abs(x2-px2)<=REACH_OF_LINE);if(!near.
length)return null;let{x,y,head}=nearestOf(near,target=>Math.abs(target.x-px2),1/0);return{x,y,lines:[head,...new Set(near.
flatMap(({lines})=>lines))]}}function nearestOf(list,distance,reach){let best=null,least=reach;for(let each of list){let away=distance(
each);away<=least&&([best,least]=[each,away])}return best}var CHART_GAP=24,BELOW_CHARTS=22,MOST_PASSES=4,MOST_SHARES=200,MOST_TABLE_ROWS=500,BenchView=class{document;shown;constructor(root,{
movedPoint,movedLine,say}){this.root=root,this.say=say,this.moves={movedPoint,movedLine},this.charts=new Map,this.shares=
new Map,this.sentence=make("p",{class:"lab-sentence",role:"status"}),this.numbers=make("dl",{class:"lab-numbers"}),this.
expertNumbers=make("dl",{class:"lab-numbers"}),this.board=make("div",{class:"lab-board"}),this.table=make("div",{class:"\
lab-table-room",role:"group","aria-label":"Table",tabindex:0}),this.csv=button("Save table as CSV",()=>this.#saveTable()),
this.details=make("details",{class:"lab-table"},make("summary",{},"Table"),this.table),this.details.addEventListener("to\
ggle",()=>this.#drawTable()),this.below=make("div",{class:"lab-below"},this.details,make("div",{class:"lab-files"},this.
csv))}draw(document2,shown){let{bench}=document2;Object.assign(this,{document:document2,shown}),write(this.sentence,unbroken(
bench.sentence)),this.#drawNumbers(this.numbers,bench.numbers.filter(({expert})=>!expert)),this.#drawNumbers(this.expertNumbers,
bench.numbers.filter(({expert})=>expert)),this.#drawCharts(bench.charts),this.#drawTable()}#drawNumbers(list,numbers){let colours=this.#colours();
for(;list.children.length>numbers.length;)list.lastChild?.remove();for(;list.children.length<numbers.length;)list.append(
make("div",{},make("dt"),make("dd"),make("dd",{class:"more"})));numbers.forEach(({label:label2,value,help,role},n)=>{let item=list.
children[n],[name,shown,more]=item.children;write(name,label2),write(shown,value),write(more,help),attribute(item,"title",
help||null),item.style.setProperty("--role",role?colours[role]:"transparent")})}#colours(){return this.shown.look.colours[isDark(
this.root)?"dark":"light"]}#drawCharts(charts){let width=this.board.clientWidth;if(!width)return;let figures2=new Set(charts.
map(({id})=>this.#figureOf(id)));for(let figure of[...this.board.children])figures2.has(figure)||figure.remove();let{room,
isExpert,presents}=this.shown,key=[this.document.lab,width,room,isExpert,presents].join(),known=room===null?1:this.shares.
get(key),share2=known??1;this.#drawAll(charts,width,share2);for(let pass=0;known===void 0&&pass<MOST_PASSES;pass++){let next=fittedShare(
share2,this.#tall(charts),this.board.offsetHeight,room-BELOW_CHARTS,presents);if(Math.abs(next-share2)<.01)break;share2=
next,this.#drawAll(charts,width,share2)}this.shares.size>MOST_SHARES&&this.shares.clear(),room!==null&&this.shares.set(key,
share2)}#tall(charts){let rows=new Map;for(let{id,height}of charts){let{offsetTop}=this.#figureOf(id);rows.set(offsetTop,
Math.max(rows.get(offsetTop)??0,height))}return[...rows.values()].reduce((sum,height)=>sum+height,0)}#drawAll(charts,room,share2){
let{look,values,controls,isExpert,presents}=this.shown,theme=isDark(this.root)?"dark":"light",columns=columnsOf(charts,room,
CHART_GAP,presents),width=Math.floor((room-(columns-1)*CHART_GAP)/columns);this.board.style.setProperty("--columns",String(
columns));let shared={colours:look.colours[theme],ramp:look.ramp[theme],font:look.font,measure:textMeasure(look.font),moved:values&&
pointsIn(values.points),values,controls,isExpert};charts.forEach((chart,n)=>{let figure=this.#figureOf(chart.id);this.board.
children[n]!==figure&&this.board.insertBefore(figure,this.board.children[n]??null),figure.classList.toggle("wide",chart.
wide);let sized={...chart,height:Math.round(chart.height*share2)};this.#viewOf(chart.id).draw(sized,{...shared,width:chart.
wide?room:width,id:this.#keyOf(chart.id)})})}#keyOf(id){return`${this.document.lab}-${id}`}#figureOf(id){return this.#viewOf(
id).element.parentElement}#viewOf(id){let known=this.charts.get(this.#keyOf(id));if(known)return known;let view=new ChartView(
this.moves),buttons=["SVG","PNG"].map(kind=>button(kind,()=>this.#saveChart(view,kind),{kind:"file","data-file":kind.toLowerCase(),
"aria-label":`Save as ${kind}`}));return make("figure",{"data-chart":id},view.element,make("div",{class:"chart-files"},...buttons)),
this.charts.set(this.#keyOf(id),view),view}points(values){let moved=pointsIn(values.points);if(moved)return moved;let points=[];
for(let{id}of this.document.bench.charts)for(let{number,vx,vy}of this.#viewOf(id).drawing.grips)points[number]=[vx,vy];return points}async#saveChart({
chart,look},kind){let name=`${fileName("lab",this.document.title,chart.id)}.${kind.toLowerCase()}`,description=chart.description||
this.document.bench.sentence,whole=new ChartView({movedPoint:()=>{},movedLine:()=>{}});whole.draw({...chart,legend:!0},{
...look,moved:null,controls:new Map});let file=svgFileOf(whole.svg,{title:chart.title,description,background:this.#colours().
background});try{kind==="SVG"?saveFile(file,"image/svg+xml",name):saveFile(await pngOfSvg(file),"image/png",name),this.say(
`Saved ${name}`)}catch{this.say("This browser can't draw a PNG. Save as SVG instead.")}}#saveTable(){let{columns,rows}=this.
document.bench,name=`${fileName("lab",this.document.title)}.csv`;saveFile(csvOf([columns,...rows]),"text/csv;charset=utf\
-8",name),this.say(`Saved ${name}`)}#drawTable(){let{columns,rows}=this.document.bench;if(show(this.below,columns.length>
0),write(this.details.firstChild,`Table (${rows.length} ${rows.length===1?"row":"rows"})`),!this.details.open)return;let cell=(tag,value)=>make(
tag,{class:typeof value=="number"?"number":null},cellWords(value)),head=make("tr",{},...columns.map(column=>make("th",{scope:"\
col"},column))),body=rows.slice(0,MOST_TABLE_ROWS).map(row=>make("tr",{},...row.map(value=>cell("td",value))));this.table.
replaceChildren(make("table",{},make("thead",{},head),make("tbody",{},...body))),rows.length>MOST_TABLE_ROWS&&this.table.
append(make("p",{},`The first ${MOST_TABLE_ROWS} rows; the CSV has all.`))}};function unbroken(text){return text.replace(
/(\d) %/g,"$1 %")}function cellWords(value){return value==null?"–":typeof value=="number"&&!Number.isInteger(value)?significant(
value):String(value)}var MOST_SIDE_BY_SIDE=4,MOST_LETTERS=30;function fitsSideBySide(options){let letters=options.reduce((sum,[,label2])=>sum+
label2.length,0);return options.length<=MOST_SIDE_BY_SIDE&&letters<=MOST_LETTERS}function labControl(control,moved){return control.
kind==="slider"?new LabSlider(control,moved):fitsSideBySide(control.options)?new SideBySide(control,moved):new LabList(control,
moved)}var LabSlider=class{constructor(control,moved){this.slider=new Slider({name:control.name,className:"lab-slider"},
{input:value=>moved(control.name,value,!1),rest:value=>moved(control.name,value,!0)}),this.element=this.slider.element,this.
describe(control)}describe(control){this.control=control,this.slider.describe(control),attribute(this.slider.range,"aria\
-label",control.label)}set(value){this.slider.set(value,sliderWords(this.control,value))}},LabList=class{constructor(control,moved){
this.list=make("select",{"aria-label":control.label,"data-setting":control.name}),this.list.addEventListener("change",()=>moved(
control.name,this.list.value,!0)),this.element=make("label",{class:"lab-choice"},make("span",{class:"slider-name"}),this.
list),this.describe(control)}describe({label:label2,help,options}){write(this.element.firstChild,label2),attribute(this.
element,"title",help),setOptions(this.list,options)}set(value){this.list.value!==value&&(this.list.value=value)}},SideBySide=class{constructor(control,moved){
this.moved=moved,this.name=make("span",{class:"slider-name"}),this.row=make("span",{class:"side-by-side"}),this.element=
make("div",{class:"lab-choice",role:"radiogroup","aria-label":control.label},this.name,this.row),this.describe(control)}describe({
name,label:label2,help,options}){write(this.name,label2),attribute(this.element,"title",help);let asked=JSON.stringify(options);
asked!==this.drawn&&(this.drawn=asked,this.inputs=options.map(([value])=>{let input=make("input",{type:"radio",name:`lab\
-${name}`,value,"data-setting":name});return input.addEventListener("change",()=>this.moved(name,value,!0)),input}),this.
row.replaceChildren(...options.map(([,words2],n)=>make("label",{},this.inputs[n],make("span",{},words2)))))}set(value){for(let input of this.
inputs)input.checked=input.value===value}};var OpenedLabs=class{#labs=new Map;#handled=-1;current=null;look=null;isExpert=!1;get names(){return[...this.#labs.keys()]}has(name){
return this.#labs.has(name)}receive(documents){for(let first of documents){let known=this.#labs.get(first.lab);known&&known.
document!==known.first?this.#labs.set(first.lab,{...known,first,document:{...known.document,controls:first.controls}}):this.#labs.
set(first.lab,{first,document:first,values:known?.values??{...first.values}})}}answer({answer,echo=0},isNewest){let known=answer&&
this.#labs.get(answer.lab);return!known||echo<this.#handled||echo===this.#handled&&known.document.bench?!1:(this.#handled=
echo,known.document=answer,isNewest&&(known.values={...answer.values}),!0)}documentOf(name=this.current){return this.#of(
name).document}firstOf(name){return this.#of(name).first}valuesOf(name=this.current){return this.#of(name).values}move(values,name=this.
current){this.#of(name).values=values}reset(name=this.current){let known=this.#of(name);known.values=firstValues(known.first.
controls),known.first.bench&&(known.document=known.first)}isBehind(name=this.current){let{document:document2,values}=this.#of(
name);return!areSame(document2.values,values)}needsAnswer(name=this.current){return this.isBehind(name)||!this.documentOf(
name).bench}differs(name,sent){return!areSame(linkOf(this.documentOf(name).controls,this.valuesOf(name)),sent)}beside(places){
return this.names[this.names.indexOf(String(this.current))+places]??null}#of(name){let known=this.#labs.get(name);if(!known)
throw new Error(`no lab ${name}`);return known}};var LAB_STATUS_MS=2e3,PLACES={ArrowRight:1,PageDown:1,ArrowLeft:-1,PageUp:-1},KEEPS_ARROWS="input, select, textarea, .gr\
ip, .handle",GIVES_ARROWS_BACK="input, .grip, .handle",Lab=class extends Part{silence=0;known="";echo=0;prefix="";notice="";names=make(
"nav",{class:"lab-names","aria-label":"Labs"});before=button("Previous",()=>this.#chooseBeside(-1));place=make("span",{class:"\
lab-place"});after=button("Next",()=>this.#chooseBeside(1));steps=make("div",{class:"lab-steps",hidden:""});present=button(
"Present",()=>this.#present(!this.presents),{title:"Large type for a lecture; arrow keys go to the next lab, Escape ends\
 it"});alert=make("p",{class:"lab-alert",role:"alert",hidden:""});heading=make("h2",{id:"lab-heading"});explanation=make(
"p",{class:"lab-explanation"});sliders=make("div",{class:"lab-controls",role:"group","aria-label":"Controls"});expertSliders=make(
"div",{class:"lab-controls",role:"group","aria-label":"Expert controls"});status=make("span",{class:"lab-status",role:"s\
tatus"});reference=make("p",{class:"lab-reference"});expert=make("details",{class:"lab-expert"},make("summary",{},"For e\
xperts"));right=make("div",{class:"lab-right"});columns=make("div",{class:"lab-frame"});page=make("div",{class:"lab-page"});stage=make(
"dialog",{class:"lab-stage","aria-labelledby":"lab-heading",tabindex:"-1"});constructor(root,store,python){super(root,store,
python),this.opened=store.labs??=new OpenedLabs,this.flight=new Flight(message=>python.setStateValue("ask",message)),this.
isOpen=!1,this.presents=!1,this.path=location.pathname,this.controls=new Map,this.bench=new BenchView(root,{movedPoint:(...moved)=>this.#movedPoint(
...moved),movedLine:(...moved)=>this.#movedLine(...moved),say:words2=>this.#say(words2)}),this.#build(),this.frame=oncePerFrame(
()=>this.#draw()),this.observer=new ResizeObserver(()=>this.frame.ask()),this.observer.observe(this.bench.board),this.followTheme(
()=>this.frame.ask());for(let[name,hear]of[["popstate",()=>this.#travelled()],["resize",()=>this.frame.ask()]])addEventListener(
name,hear),this.leave.push(()=>removeEventListener(name,hear));let key=event=>this.#key(event);document.addEventListener(
"keydown",key),this.leave.push(()=>document.removeEventListener("keydown",key))}#build(){let{sentence,board,below,numbers,
expertNumbers}=this.bench,bar2=make("div",{class:"lab-bar"},this.names,this.steps,this.present);this.steps.append(this.before,
this.place,this.after);let buttons=make("div",{class:"lab-buttons"},button("Reset",()=>this.#reset(),{title:"Restore the\
 initial settings"}),button("Copy link",()=>this.#copyLink(),{title:"Copy a link to the lab with these settings"}));this.
expert.append(this.expertSliders,expertNumbers,this.reference),this.expert.addEventListener("toggle",()=>{this.opened.isExpert=
this.expert.open,this.frame.ask()});let left=make("div",{class:"lab-left"},this.heading,this.explanation,this.sliders,make(
"div",{class:"lab-foot"},buttons,this.status),numbers,this.expert);this.right.append(sentence,board,below),this.columns.
append(left,this.right),this.page.append(bar2,this.alert,this.columns),this.stage.addEventListener("close",()=>this.#present(
!1)),this.stage.addEventListener("pointerup",event=>this.#giveArrowsBack(event)),this.root.append(this.page,this.stage)}update(data){
data.labs&&(this.opened.receive(data.labs),this.opened.look={colours:data.colours,ramp:data.ramp,font:data.font}),this.opened.
names.length&&(this.prefix=data.in_link,this.echo=data.echo??0,this.opened.answer(data,this.flight.heard(this.echo)),this.
isOpen?this.#write("replace"):this.#open(data.answer?.lab),this.#show())}destroy(){super.destroy(),this.observer.disconnect(),
this.frame.stop(),this.presents=!1,this.stage.close()}#open(answered){this.isOpen=!0;let{opened}=this;opened.current??=opened.
names[0];let wanted=wantedIn(location.href,this.prefix);this.#follow(wanted,this.echo===0&&answered===wanted.lab),this.#write(
"replace")}#travelled(){!this.isOpen||location.pathname!==this.path||(this.notice="",this.#follow(wantedIn(location.href,
this.prefix),!1),this.#show())}#follow({lab,sent,presents},isAnswered){let{opened}=this;lab!==null&&!opened.has(lab)?this.
notice=`There is no lab “${lab.slice(0,40)}”. Choose one of the labs above.`:lab!==null&&(opened.current=lab,!isAnswered&&
opened.differs(lab,sent)&&this.#sendLink(lab,sent)),this.#setStage(presents),this.#askIfNeeded()}#sendLink(lab,sent){(Object.
keys(sent).length||this.flight.isAhead)&&this.flight.move({lab,values:sent,from_link:!0}),Object.keys(sent).length||this.
opened.reset(lab)}#address(){let{current}=this.opened,{controls}=this.opened.documentOf();return labAddress(location.href,
{lab:current,controls,prefix:this.prefix,presents:this.presents},this.opened.valuesOf())}#write(how){if(location.pathname!==
this.path)return;let address=this.#address();address!==location.href&&(how==="push"?history.pushState(history.state,"",address):
history.replaceState(history.state,"",address))}#choose(name){name===null||name===this.opened.current||(this.opened.current=
name,this.notice="",this.#write("push"),this.#askIfNeeded(),this.#show(),this.root.ownerDocument.querySelector('[data-te\
stid="stMain"]')?.scrollTo({top:0}),this.stage.scrollTop=0)}#chooseBeside(places){this.#choose(this.opened.beside(places))}#askIfNeeded(){
let{opened}=this;!this.flight.isAhead&&opened.needsAnswer()&&this.flight.move({lab:opened.current,values:opened.valuesOf()})}#present(presents){
presents!==this.presents&&(this.#setStage(presents),this.#write("push"),this.#show(),presents||this.present.focus({preventScroll:!0}))}#setStage(presents){
presents!==this.presents&&(this.presents=presents,(presents?this.stage:this.root).append(this.page),presents?this.stage.
showModal():this.stage.close(),presents&&this.stage.focus(),show(this.steps,presents),write(this.present,presents?"End p\
resentation":"Present"))}#key(event){let places=PLACES[event.key];!this.presents||!places||event.ctrlKey||event.metaKey||
event.altKey||event.shiftKey||event.composedPath()[0]?.matches?.(KEEPS_ARROWS)||(event.preventDefault(),this.#chooseBeside(
places))}#giveArrowsBack(event){event.target.closest?.(GIVES_ARROWS_BACK)&&setTimeout(()=>this.presents&&this.stage.focus(
{preventScroll:!0}))}#moved(name,value,rests){this.#send(movedValues(this.opened.valuesOf(),this.opened.documentOf().controls,
name,value),rests)}#movedLine(name,change,rests){this.#moved(name,change(this.opened.valuesOf()[name]),rests)}#send(values,rests){
this.opened.move(values),this.notice="",this.#showValues(),this.flight.move({lab:this.opened.current,values}),rests&&this.#write(
"replace"),this.frame.ask()}#movedPoint(number,placed,rests){let values=this.opened.valuesOf();if(!placed)return this.#send(
values,rests);let points=this.bench.points(values);return points[number]=placed(points[number]),this.#send({...values,points:pointsText(
points)},rests)}#reset(){this.opened.reset(),this.#send(this.opened.valuesOf(),!0)}async#copyLink(){this.#say(await copyText(
this.#address(),this.root.querySelector("button"))?"Link copied":"Not copied")}#say(words2){write(this.status,words2),clearTimeout(
this.silence),this.silence=setTimeout(()=>write(this.status,""),LAB_STATUS_MS)}#show(){this.#describe(),this.#showValues(),
this.frame.now()}#describe(){let{lab,controls,title,explanation,reference}=this.opened.documentOf(),names=[lab,...controls.
map(({name,kind})=>`${kind} ${name}`)].join();if(names!==this.known){this.known=names,this.controls=new Map(controls.map(
each=>[each.name,labControl(each,(...moved)=>this.#moved(...moved))]));let elements=isExpert=>controls.filter(({expert})=>expert===
isExpert).map(({name})=>this.controls.get(name).element);this.sliders.replaceChildren(...elements(!1)),this.expertSliders.
replaceChildren(...elements(!0)),this.expert.open=this.opened.isExpert||this.#hasMovedExpert(controls)}else for(let each of controls)
this.controls.get(each.name).describe(each);write(this.heading,title),write(this.explanation,explanation.replace(`
`," ")),write(this.reference,reference?`Source: ${reference}`:""),this.#describeNames()}#hasMovedExpert(controls){let values=this.
opened.valuesOf();return controls.some(({name,value,expert})=>expert&&values[name]!==value)}#describeNames(){let{names,current}=this.
opened;this.names.children.length!==names.length&&this.names.replaceChildren(...names.map(name=>this.#linkTo(name))),names.
forEach((name,n)=>attribute(this.names.children[n],"aria-current",name===current?"page":null));let at=names.indexOf(String(
current));write(this.place,`${at+1} of ${names.length}`),enable(this.before,at>0),enable(this.after,at<names.length-1)}#linkTo(name){
let link=make("a",{href:`?lab=${name}`},this.opened.firstOf(name).title.split(":")[0]);return link.addEventListener("cli\
ck",event=>{event.ctrlKey||event.metaKey||event.shiftKey||event.button||(event.preventDefault(),this.#choose(name))}),link}#showValues(){
let values=this.opened.valuesOf();for(let[name,control]of this.controls)control.set(values[name])}#draw(){let{opened}=this;
if(!opened.current||!this.isOpen)return;let document2=opened.documentOf(),alerts=[this.notice,...document2.mistakes].filter(
Boolean);show(this.alert,alerts.length>0),write(this.alert,alerts.join(" ")),attribute(this.root,"data-state",document2.
bench?"shown":"nothing"),attribute(this.root,"data-lab",opened.current),show(this.expert,document2.controls.some(({expert})=>expert)||
!!document2.reference);let isDrawn=!!document2.bench||this.bench.document?.lab===document2.lab;for(let part of[this.right,
this.bench.numbers])show(part,isDrawn);if(!document2.bench)return;let values=opened.valuesOf();this.bench.draw(document2,
{look:opened.look,values:areSame(values,document2.values)?null:values,isExpert:this.expert.open,controls:new Map(document2.
controls.map(control=>[control.name,control])),room:this.#room(),presents:this.presents}),attribute(this.root,"data-echo",
this.echo)}#room(){let{board}=this.bench;if(getComputedStyle(this.columns).gridTemplateColumns.split(" ").length<2)return null;
let scrolled=this.presents?this.stage.scrollTop:this.root.ownerDocument.querySelector('[data-testid="stMain"]')?.scrollTop??
0,{top,width}=board.getBoundingClientRect(),zoom=width/board.offsetWidth||1;return Math.round((innerHeight-top-scrolled)/
zoom)}};var PARTS={landscape:Landscape,scores:Scores,table:Table,record:RecordCard,hints:Hints,later:Later,workbench:Workbench,figure_files:FigureFiles,
versions_text:VersionsText,overlay:OverlayVersions,lab:Lab,writer_board:WriterBoard,versions_strip:VersionsStrip,place:Place,
sight:Sight,scores_before:ScoresBefore},MOUNTED=new WeakMap;function mount({data,parentElement,setStateValue,setTriggerValue}){
if(data instanceof Uint8Array)return receive(data,parentElement);if(!data?.part)return;let part=MOUNTED.get(parentElement);
if(!part){let root=document.createElement("div");root.className=`queryscape ${data.part}`,parentElement.adoptedStyleSheets=
[styleSheet()],parentElement.appendChild(root);let isHere=()=>MOUNTED.get(parentElement)===part,guarded=say=>(name,value)=>sayUnlessLeaving(
()=>say(name,value),isHere),python={setStateValue:guarded(setStateValue),setTriggerValue:guarded(setTriggerValue)};part=
new PARTS[data.part](root,storeNamed(data.scape),python),MOUNTED.set(parentElement,part)}return part.update(data),()=>{MOUNTED.
get(parentElement)?.destroy(),MOUNTED.delete(parentElement),parentElement.querySelector?.(".queryscape")?.remove()}}function receive(bytes,parentElement){
if(MOUNTED.get(parentElement)===bytes)return;MOUNTED.set(parentElement,bytes);let payload=unpack(bytes),store=storeNamed(
payload.header.scape);store.payloads[payload.header.kind].has(payload.header.id)||store.put(payload)}globalThis.queryscapeWay??=
watchLeaving(document);globalThis.queryscape={mount};globalThis.queryscapeReady?.forEach(late=>late());globalThis.queryscapeReady=
null;var main_default=mount;export{main_default as default};
