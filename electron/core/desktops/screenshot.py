# Prints what the screen measures as a line of JSON, then a PNG of it or of a part of it, made smaller where it is larger than allowed.
import json, sys
from PIL import Image, ImageGrab

x, y, width, height, longest = map(int, sys.argv[1:6])
screen = ImageGrab.grab(xdisplay="")
if width == 0:
    width, height = screen.size
box = (min(x, screen.width), min(y, screen.height), min(x + width, screen.width), min(y + height, screen.height))
if box[0] >= box[2] or box[1] >= box[3]:
    sys.exit("the region lies outside of the screen, which is %dx%d" % screen.size)
part = screen.crop(box)
if longest and max(part.size) > longest:
    scale = longest / max(part.size)
    part = part.resize((max(1, round(part.width * scale)), max(1, round(part.height * scale))), Image.LANCZOS)
head = {"screen": screen.size, "region": [box[0], box[1], box[2] - box[0], box[3] - box[1]]}
sys.stdout.buffer.write((json.dumps(head) + "\n").encode())
part.save(sys.stdout.buffer, "PNG", compress_level=3)
